package savina_test

// programs are the thirty, in the order of docs/savina.md.
var programs = []program{
	pingPong,
	counted,
	forkJoinThroughput,
	forkJoinCreate,
	threadRing,
	chameneosMall,
	bigCrowd,
	concDict,
	concSll,
	bndBuffer,
	diners,
	barberShop,
	cigSmok,
	logMap,
	bankOf,
	radixSort,
	sieveOfFilters,
	unbalanced,
	facilityLocation,
	trapezoids,
	quickSort,
	shortestPaths,
	overRelaxation,
	fibonacci,
}
