#include "textflag.h"

// The loops of scan.go. R0 is the place that is looked at, R1 the end of b, R2
// the last place with a whole block left; both are signed, since b may be short.

#define START(block) \
	I64Load b_base+0(FP); Tee R0; I64Load b_len+8(FP); I64Add; Tee R1; I64Const block; I64Sub; Set R2

// Words at R0.
#define LOAD(offset) Get R0; I32WrapI64; I64Load offset

// The steps on, and back to a loop that is so many blocks out.
#define NEXT(bytes, loop) Get R0; I64Const bytes; I64Add; Set R0; Br loop

// From a mask of high bits in R4 to the place of the first one.
#define FIRST Get R0; Get R4; I64Ctz; I64Const $3; I64ShrU; I64Add; Set R0

// A mask of the bytes of the word on the stack that are line feeds.
#define FEEDS I64Const $0x0a0a0a0a0a0a0a0a; I64Xor; Tee R3; I64Const $0x0101010101010101; I64Sub; Get R3; I64Const $-1; I64Xor; I64And

// func Plain(b []byte) int
TEXT ·Plain(SB), NOSPLIT, $0-32
	START($8)
	Block
		Block
			Loop
				Get R0
				Get R2
				I64GtS
				BrIf $1
				LOAD($0)
				Tee R3
				I64Const $0x0202020202020202
				I64Xor
				I64Const $0x2121212121212121
				I64Sub
				Get R3
				I64Const $0x5c5c5c5c5c5c5c5c
				I64Xor
				I64Const $0x0101010101010101
				I64Sub
				I64Or
				Get R3
				I64Const $-1
				I64Xor
				I64And
				I64Const $0x8080808080808080
				I64And
				Tee R4
				I64Eqz
				If
					NEXT($8, $1)
				End
			End
			FIRST
			Br $1
		End
		Loop
			Get R0
			Get R1
			I64GeU
			BrIf $1
			Get R0
			I32WrapI64
			I64Load8U $0
			Tee R3
			I64Const $0x20
			I64LtU
			BrIf $1
			Get R3
			I64Const $0x22
			I64Eq
			BrIf $1
			Get R3
			I64Const $0x5c
			I64Eq
			BrIf $1
			NEXT($1, $0)
		End
	End
	Get SP
	Get R0
	I64Load b_base+0(FP)
	I64Sub
	I64Store ret+24(FP)
	RET

// func LineEnd(b []byte) int
TEXT ·LineEnd(SB), NOSPLIT, $0-32
	START($32)
	Block
		Loop
			Get R0
			Get R2
			I64GtS
			BrIf $1
			LOAD($0)
			FEEDS
			LOAD($8)
			FEEDS
			I64Or
			LOAD($16)
			FEEDS
			I64Or
			LOAD($24)
			FEEDS
			I64Or
			I64Const $0x8080808080808080
			I64And
			I64Eqz
			If
				NEXT($32, $1)
			End
		End
	End
	// Here is a block with a line feed, or fewer than 32 bytes.
	Get R1
	I64Const $8
	I64Sub
	Set R2
	Block
		Block
			Loop
				Get R0
				Get R2
				I64GtS
				BrIf $1
				LOAD($0)
				FEEDS
				I64Const $0x8080808080808080
				I64And
				Tee R4
				I64Eqz
				If
					NEXT($8, $1)
				End
			End
			FIRST
			Br $1
		End
		Loop
			Get R0
			Get R1
			I64GeU
			If
				Get SP
				I64Const $-1
				I64Store ret+24(FP)
				RET
			End
			Get R0
			I32WrapI64
			I64Load8U $0
			I64Const $0x0a
			I64Eq
			BrIf $1
			NEXT($1, $0)
		End
	End
	Get SP
	Get R0
	I64Load b_base+0(FP)
	I64Sub
	I64Store ret+24(FP)
	RET

// func ASCII(b []byte) int
TEXT ·ASCII(SB), NOSPLIT, $0-32
	START($32)
	Block
		Loop
			Get R0
			Get R2
			I64GtS
			BrIf $1
			LOAD($0)
			LOAD($8)
			I64Or
			LOAD($16)
			I64Or
			LOAD($24)
			I64Or
			I64Const $0x8080808080808080
			I64And
			I64Eqz
			If
				NEXT($32, $1)
			End
		End
	End
	Get R1
	I64Const $8
	I64Sub
	Set R2
	Block
		Block
			Loop
				Get R0
				Get R2
				I64GtS
				BrIf $1
				LOAD($0)
				I64Const $0x8080808080808080
				I64And
				Tee R4
				I64Eqz
				If
					NEXT($8, $1)
				End
			End
			FIRST
			Br $1
		End
		Loop
			Get R0
			Get R1
			I64GeU
			BrIf $1
			Get R0
			I32WrapI64
			I64Load8U $0
			I64Const $0x80
			I64GeU
			BrIf $1
			NEXT($1, $0)
		End
	End
	Get SP
	Get R0
	I64Load b_base+0(FP)
	I64Sub
	I64Store ret+24(FP)
	RET
