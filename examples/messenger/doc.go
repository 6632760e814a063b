// Package messenger is an instant messenger, after the program of that name of [Bita13]: users log in at a server,
// which forwards their messages to those who are logged in.
package messenger
