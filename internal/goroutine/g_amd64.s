//go:build gc

#include "textflag.h"

// func g() unsafe.Pointer
TEXT ·g(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
