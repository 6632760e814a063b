package savina_test

// programs are the thirty, in the order of docs/savina.md.
var programs = []program{
	threadRing,
	concDict,
	concSll,
	bndBuffer,
	diners,
	barberShop,
	cigSmok,
}
