// Package platforms has a file of another platform.
package platforms

func lock() {}
