package reachtest

import "testing"

// The function by which a copy waits is the one that it has called last.
func TestWaitsIn(t *testing.T) {
	const stack = "the test function does not end: no progress\ngoroutine 9 [IO wait]:\ninternal/poll.runtime_pollWait(0x7f, 0x72)\n\t/go/src/runtime/netpoll.go:351 +0x85\n" +
		"example.com/echo/v4.(*Echo).Start(0x16, {0xd3, 0x5})\n\t/mod/echo.go:686 +0xcb\nexample.com/ticket.main_start0(0x49?)\n\t/src/ticket/start0_target_test.go:36 +0x33e\n" +
		"adapter.(*handlers).perform(0x16)\n\t/src/adapter/handlers.go:39 +0x29b\n"
	if got := waitsIn(stack); got != "example.com/echo/v4.(*Echo).Start" {
		t.Errorf("it waits in %q", got)
	}
	if got := waitsIn("no stack"); got != "" {
		t.Errorf("without a stack it waits in %q", got)
	}
}
