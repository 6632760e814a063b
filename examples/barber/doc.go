// Package barber is a barber's shop, after the program of that name of [Bita13]: customers take a seat in the waiting
// room and ring the bell. The barber sleeps while nobody waits.
package barber
