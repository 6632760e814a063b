// Package retry loads prepaid cards. Terminals take the cash and tell the ledger, which confirms; what is not confirmed
// in time is sent again, since the network between them loses messages.
package retry
