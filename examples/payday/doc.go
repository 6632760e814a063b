// Package payday is the cash desk of a small company. Bills come in, and on payday the desk pays those that the till
// can bear.
package payday
