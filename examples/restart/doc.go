// Package restart is a shopping cart. A shopper fills it and checks out; meanwhile marketing may put a voucher into it.
// A cart that panics is restarted by its supervisor, which is protoactor's default.
package restart
