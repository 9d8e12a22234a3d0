/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * insns.h - the instructions of insns.c: X(name, what the CPU must have, text).
 *
 * At the start si points to `from`, di to `to`, r11 to a function, r12 to `mem`,
 * r13 to a page that cannot be accessed (until a fault there), cx is 0 to 7, dx
 * is 0, all others are arbitrary. After a fault that nothing can repair, the
 * program goes on where r14 points.
 */
#ifndef TARGETS_INSNS_H
#define TARGETS_INSNS_H

/* clang-format off */
#define M(off) "mem+" #off "(%rip)"
#define RET "\n ret"

/* An operand relative to ip: each kind, with each register in use. */
#define RELATIVE(X)                                                            \
	X(load, ALWAYS, "mov " M(16) ",%rax\n mov " M(24) ",%rsi\n mov " M(8) ",%rdi" \
		"\n mov " M(0) ",%rbx\n mov " M(32) ",%r14d\n mov " M(1) ",%ah" \
		"\n movzbl " M(3) ",%r8d\n movslq " M(4) ",%r9" RET)           \
	X(store, ALWAYS, "mov %rsi," M(64) "\n mov %rdi," M(72) "\n mov %rbx," M(80) \
		"\n mov %r15," M(88) "\n mov %dil," M(96) "\n mov %bh," M(97)  \
		"\n movb $7," M(98) "\n movw $0x1234," M(100)                  \
		"\n movq $-5," M(104) RET)                                     \
	X(lea, ALWAYS, "lea " M(1) ",%rsi\n lea " M(2) ",%rdi\n lea " M(3) ",%rbx"  \
		"\n lea " M(4) ",%r13\n lea " M(5) ",%eax\n xor %eax,%eax" RET) \
	X(modify, ALWAYS, "add %rsi," M(64) "\n sub %rdi," M(72) "\n incq " M(80)   \
		"\n notl " M(88) "\n shlq %cl," M(96) "\n btsq $5," M(104)     \
		"\n sete " M(112) "\n xadd %rdi," M(64) "\n xchg %rsi," M(72)  \
		"\n cmpxchg %rsi," M(80) "\n shld %cl,%rax," M(88)             \
		"\n negb " M(113) RET)                                         \
	X(arith, ALWAYS, "add " M(0) ",%rsi\n imul " M(8) ",%rdi\n imul $3," M(16)  \
		",%rbx\n cmp " M(24) ",%rsi\n setl %al\n test %rdi," M(32)     \
		"\n adc " M(40) ",%r10\n cmovnz " M(48) ",%rsi\n popcnt "      \
		M(8) ",%rdi\n bsf " M(16) ",%r8\n movbe " M(16) ",%r9" RET)    \
	X(mul_div, ALWAYS, "mov %rdi,%rax\n mulq " M(8) "\n mov $5,%eax"            \
		"\n xor %edx,%edx\n divq " M(8) RET)                           \
	X(cmpxchg16b, ALWAYS, "cmpxchg16b " M(64) "\n cmpxchg16b " M(64) RET)       \
	X(push_pop, ALWAYS, "push " M(8) "\n pop %rax\n pushw " M(16)               \
		"\n popw " M(64) "\n push %rsi\n pop " M(72) RET)              \
	X(through_memory, ALWAYS, "call *pointer(%rip)\n call *pointer(%rip)"       \
		"\n jmp *pointer(%rip)")                                       \
	X(scratch_kept, ALWAYS, "mov $0x1111,%esi\n mov $0x2222,%edi"               \
		"\n mov $0x3333,%ebx\n mov " M(8) ",%rax\n mov %rsi," M(64)    \
		"\n mov %rdi," M(72) "\n mov %rbx," M(80) RET)                 \
	X(sse_relative, ALWAYS, "movups " M(16) ",%xmm1\n movss " M(4) ",%xmm2"     \
		"\n movss %xmm2," M(64) "\n paddd " M(32) ",%xmm6"             \
		"\n cvtsi2sdq " M(8) ",%xmm7\n pextrq $1,%xmm6," M(72)         \
		"\n pinsrq $1," M(8) ",%xmm3\n cvttsd2si " M(8) ",%rsi"        \
		"\n pshufd $0x1b," M(16) ",%xmm4\n crc32q " M(8) ",%rdi"       \
		"\n movq %xmm1," M(80) RET)                                    \
	X(x87_relative, ALWAYS, "fildl " M(8) "\n fldl one(%rip)\n faddl one(%rip)" \
		"\n fstpl " M(64) "\n fistpl " M(72) "\n fnstcw " M(80)        \
		"\n fldcw " M(80) RET)                                         \
	X(vex_relative, AVX2, "vmovdqu " M(32) ",%ymm0\n vmovdqu %ymm7," M(64) \
		"\n vpaddd " M(0) ",%ymm6,%ymm7\n vpaddd " M(0) ",%ymm7,%ymm6" \
		"\n vpaddd " M(0) ",%ymm14,%ymm3\n vbroadcastss " M(8)         \
		",%ymm9\n vpermq $0x1b," M(0) ",%ymm6\n vptest " M(0)          \
		",%ymm6\n vmovq %xmm6," M(96) RET)                             \
	X(bmi_relative, BMI2, "andn " M(0) ",%rsi,%rdi\n andn " M(0)           \
		",%rdi,%rsi\n mulx " M(8) ",%rsi,%rdi\n bextr %rsi," M(0)      \
		",%rbx\n pdep " M(8) ",%rsi,%rdi\n rorx $7," M(0) ",%rbx"      \
		"\n shlx %rsi," M(0) ",%rdi\n tzcnt " M(16) ",%rax" RET)       \
	X(evex_relative, AVX512, "vmovdqu64 " M(0) ",%zmm6"                    \
		"\n vmovdqu64 " M(0) ",%zmm17{%k1}{z}\n vpaddd " M(8)          \
		"{1to16},%zmm6,%zmm7{%k2}\n vpaddd " M(0) ",%zmm7,%zmm6"       \
		"\n vmovdqu32 %zmm7," M(64) "{%k1}\n vpcmpd $1," M(0)          \
		",%zmm6,%k3\n vpternlogd $0x96," M(0) ",%zmm31,%zmm30" RET)

/* Transfers: through registers and memory, short and long, with the stack. */
#define TRANSFERS(X)                                                           \
	X(call_register, ALWAYS, "call *%r11\n mov %r11,%rbx\n call *%rbx\n jmp *%r11") \
	X(call_stack, ALWAYS, "push %r11\n push %rax\n call *8(%rsp)\n call *8(%rsp)" \
		"\n pop %rcx\n pop %rdx" RET)                                  \
	X(call_top, ALWAYS, "push %r11\n call *(%rsp)\n pop %rdx" RET)              \
	X(call_sp_index, ALWAYS, "push %r11\n xor %ebx,%ebx"                        \
		"\n call *(%rsp,%rbx,2)\n pop %rdx" RET)                       \
	X(call_memory, ALWAYS, "lea pointer(%rip),%rbx\n call *(%rbx)"              \
		"\n xor %ecx,%ecx\n call *(%rbx,%rcx,8)\n lea -64(%rbx),%rbx"  \
		"\n jmp *64(%rbx)")                                            \
	X(call_here, ALWAYS, "call 1f\n 1: pop %rax\n call 2f\n ud2\n"              \
		"2: pop %rbx\n sub %rax,%rbx" RET)                             \
	X(jump_stack, ALWAYS, "lea 1f(%rip),%rbx\n push %rbx\n jmp *(%rsp)\n ud2\n" \
		"1: pop %rax" RET)                                             \
	X(ret_count, ALWAYS, "push %rax\n push %rbx\n call 1f\n jmp 2f\n"           \
		"1: ret $16\n 2:" RET)                                         \
	X(ret_rep, ALWAYS, "call 1f\n jmp 2f\n 1: rep ret\n 2:" RET)                \
	X(ret_pushed, ALWAYS, "lea 1f(%rip),%rbx\n push %rbx\n ret\n ud2\n 1:" RET) \
	X(jcc, ALWAYS, "xor %eax,%eax\n"                                            \
		"jo 1f\n inc %eax\n 1: jno 1f\n add $2,%eax\n"                 \
		"1: jb 1f\n add $4,%eax\n 1: jae 1f\n add $8,%eax\n"           \
		"1: je 1f\n add $16,%eax\n 1: jne 1f\n add $32,%eax\n"         \
		"1: jbe 1f\n add $64,%eax\n 1: ja 1f\n add $128,%eax\n"        \
		"1: js 1f\n add $256,%eax\n 1: jns 1f\n add $512,%eax\n"       \
		"1: jp 1f\n add $1024,%eax\n 1: jnp 1f\n add $2048,%eax\n"     \
		"1: jl 1f\n add $4096,%eax\n 1: jge 1f\n add $8192,%eax\n"     \
		"1: jle 1f\n add $16384,%eax\n 1: jg 1f\n mov $-1,%eax\n 1:" RET) \
	X(jcc_long, ALWAYS, "cmp %rcx,%rdx\n .byte 0x0f,0x84\n .long 1f-.-4\n"      \
		"inc %rax\n 1: .byte 0x0f,0x8c\n .long 1f-.-4\n inc %rbx\n"    \
		"1: .byte 0xe9\n .long 1f-.-4\n ud2\n 1:" RET)                 \
	X(jrcxz, ALWAYS, "jrcxz 1f\n inc %rax\n 1: jecxz 1f\n inc %rbx\n 1:" RET)   \
	X(loops, ALWAYS, "inc %ecx\n 1: add %rcx,%rax\n loop 1b\n mov $3,%ecx\n"    \
		"2: cmp $2,%ecx\n loope 2b\n mov $3,%ecx\n 3: cmp $2,%ecx\n"   \
		"loopne 3b" RET)                                               \
	X(factorial, ALWAYS, "mov $1,%eax\n add $8,%ecx\n call 1f\n ret\n"          \
		"1: push %rcx\n dec %ecx\n jz 2f\n call 1b\n 2: pop %rcx\n"    \
		"imul %rcx,%rax" RET)                                          \
	X(table, ALWAYS, "lea 9f(%rip),%rbx\n and $1,%ecx\n movslq (%rbx,%rcx,4),%rax\n" \
		"add %rbx,%rax\n jmp *%rax\n 1: mov $1,%eax\n jmp 3f\n"        \
		"2: mov $2,%eax\n 3: xor %ebx,%ebx\n ret\n .pushsection .rodata\n"           \
		"9: .long 1b-9b, 2b-9b\n .popsection")             \
	X(enter_leave, ALWAYS, "enter $32,$0\n mov %rax,-8(%rbp)\n leave\n"         \
		"enter $16,$1\n leave\n push %rbp\n mov %rsp,%rbp\n leave" RET) \
	X(push_all, ALWAYS, "push %rsp\n pop %rbx\n sub %rsp,%rbx\n push %rsp\n"    \
		"pop %rsp\n push %r12\n pop %r8\n push $-77\n pop %rax\n"      \
		"push $0x12345678\n pop %rdx\n pushw %ax\n popw %cx\n"         \
		"push %fs\n pop %r9\n push 8(%r12)\n pop 64(%r12)\n push %rax\n" \
		"push %rbx\n pop (%rsp)\n pop %rcx\n push (%rsp)\n"           \
		"pop %r10\n sub %r10,%r10" RET)

/* Strings; the last two end in a fault half-way, which is repaired. */
#define STRINGS(X)                                                             \
	X(movs, ALWAYS, "rep movsb\n mov $2,%ecx\n rep movsq\n xor %ecx,%ecx\n"     \
		"rep movsb\n movsw" RET)                                       \
	X(movs_down, ALWAYS, "lea 32(%rsi),%rsi\n lea 32(%rdi),%rdi\n std\n"        \
		"rep movsb\n movsl\n cld" RET)                                 \
	X(stos, ALWAYS, "rep stosb\n mov $3,%ecx\n rep stosl\n xor %ecx,%ecx\n"     \
		"rep stosq\n stosq" RET)                                       \
	X(lods, ALWAYS, "lodsb\n mov $2,%ecx\n rep lodsq\n mov %r12,%rbx\n" \
		"and $31,%eax\n xlat" RET)               \
	X(cmps, ALWAYS, "repe cmpsb\n sete %al\n mov $3,%ecx\n repne cmpsb\n"       \
		"setne %bl\n xor %ecx,%ecx\n repe cmpsb" RET)                  \
	X(scas, ALWAYS, "mov 3(%rdi),%al\n mov $16,%ecx\n repne scasb\n sete %bl\n" \
		"xor %ecx,%ecx\n repe scasb\n scasl" RET)                      \
	X(movs_long, ALWAYS, "mov $200,%ecx\n rep movsb" RET)                       \
	X(movs_fault, ALWAYS, "lea -7(%r13),%rdi\n mov $20,%ecx\n rep movsb" RET)   \
	X(cmps_fault, ALWAYS, "lea -5(%r13),%rdi\n mov %rdi,%rsi\n mov $16,%ecx\n"  \
		"repe cmpsb" RET)

/* Flags; with the trap flag the program's own handler sees each next ip. */
#define FLAGS(X)                                                               \
	X(pushf, ALWAYS, "pushf\n pop %rdx\n pushfw\n popw %ax" RET)                \
	X(popf, ALWAYS, "push $0x8d7\n popf\n setc %al\n push $0x202\n popf\n"      \
		"push $0x602\n popf\n cld\n pushf\n popw %bx\n pushw %bx\n popf" RET) \
	X(sahf, ALWAYS, "lahf\n mov $0xd5,%ah\n sahf\n setz %al\n cmc\n setc %bl\n" \
		"stc\n clc\n std\n cld" RET)                                   \
	X(trap_flag, ALWAYS, "pushf\n orq $0x100,(%rsp)\n popf\n nop\n xor %eax,%eax\n" \
		"mov %rcx,%rbx\n push %rbx\n pop %rdx\n jmp 1f\n ud2\n"        \
		"1: mov $3,%ecx\n rep movsb\n call *%r11\n call 1f\n jmp 2f\n" \
		"1: mov $39,%eax\n syscall\n xor %r11d,%r11d\n ret\n 2:\n"      \
		"lea 3(%rax),%rcx\n pushf\n andq $~0x100,(%rsp)\n popf\n nop" RET)

#define ODD(X)                                                                 \
	X(nops, ALWAYS, "nop\n xchg %ax,%ax\n nopw 0(%rax,%rax,1)\n nopl 0(%rax)\n" \
		".byte 0x66,0x2e,0x0f,0x1f,0x84,0,0,0,0,0\n pause\n endbr64\n" \
		".byte 0x0f,0x19,0xc0\n nopl 0x12345678(%rip)" RET)            \
	X(locked, ALWAYS, "inc %rax\n lock incl " M(64) "\n lock cmpxchg %rcx," M(72)          \
		"\n xchg %rax," M(80) "\n lock btsq $3,(%r12)" RET)            \
	X(segments, ALWAYS, "mov %fs:0,%rax\n sub %fs:0x10,%rax\n mov %fs:0x28,%rbx\n" \
		"cmp %fs:0x28,%rbx\n sete %bl\n movzbl %bl,%ebx\n mov %fs,%ecx\n" \
		"mov %ds,%edx\n mov %edx,%ds" RET)                             \
	X(fsbase, FSGSBASE, "rdfsbase %rax\n mov %fs:0,%rbx\n sub %rbx,%rax\n" \
		"mov %fs:0,%rcx\n wrfsbase %rcx\n sub %rbx,%rcx\n xor %ebx,%ebx" RET) \
	X(cpuid, ALWAYS, "mov $0x80000002,%eax\n cpuid\n mov $0,%eax\n cpuid" RET)  \
	X(rdtsc, ALWAYS, "rdtsc\n mov %eax,%esi\n mov %edx,%edi\n rdtscp\n"         \
		"shl $32,%rdx\n or %rdx,%rax\n shl $32,%rdi\n or %rdi,%rsi\n"  \
		"cmp %rsi,%rax\n setae %al\n movzbl %al,%eax\n xor %edx,%edx\n" \
		"xor %esi,%esi\n xor %edi,%edi\n xor %ecx,%ecx" RET)           \
	X(xchg, ALWAYS, "xchg %rax,%rbx\n xchg %cl,%ch\n bswap %r15\n cmpxchg %rcx,%rdx\n" \
		"xadd %rax,%rbx\n xchg %rsi,%rdi" RET)                         \
	X(numbers, ALWAYS, "cqo\n cdqe\n mul %rcx\n mov $7,%ebx\n xor %edx,%edx\n"  \
		"div %rbx\n imul %rbx,%rax\n shld %cl,%rax,%rbx\n rcr $3,%rax\n" \
		"rol %cl,%rbx\n bt %rcx,%rax\n setc %dl\n sbb %r8,%r9" RET) \
	X(own_int3, ALWAYS, "inc %rax\n int3\n inc %rbx\n int3\n nop" RET)          \
	X(divide_fault, ALWAYS, "lea 1f(%rip),%r14\n xor %ebx,%ebx\n cqo\n idiv %rbx\n" \
		"mov $1,%eax\n 1: inc %rax" RET)                               \
	X(ud2_fault, ALWAYS, "lea 1f(%rip),%r14\n ud2\n mov $1,%eax\n 1: inc %rax" RET) \
	X(hlt_fault, ALWAYS, "lea 1f(%rip),%r14\n hlt\n mov $1,%eax\n 1: inc %rax" RET) \
	X(load_fault, ALWAYS, "mov 8(%r13),%rax\n mov %rax,16(%r13)" RET)           \
	X(push_fault, ALWAYS, "lea 1f(%rip),%r14\n mov %rsp,%rbx\n mov $0x3000,%esp\n" \
		"push %rax\n 1: mov %rbx,%rsp\n sub %rbx,%rbx" RET)            \
	X(call_fault, ALWAYS, "lea 1f(%rip),%r14\n mov %rsp,%rbx\n mov $0x3000,%esp\n" \
		"call *%r11\n 1: mov %rbx,%rsp\n sub %rbx,%rbx" RET)           \
	X(jump_fault, ALWAYS, "lea 1f(%rip),%r14\n mov $0x2000,%ebx\n jmp *%rbx\n 1:" RET) \
	X(kernel_call, ALWAYS, "mov $39,%eax\n syscall\n sub %ecx,%ecx\n mov $-1,%eax\n" \
		"syscall\n lea 0(%rax),%rbx\n sub %r11,%r11" RET)

/* Of the maps 0f38, 0f3a and of opcodes that are jumps elsewhere. */
#define VECTORS(X)                                                             \
	X(sse, ALWAYS, "pxor %xmm0,%xmm1\n pcmpeqb %xmm2,%xmm3\n movaps %xmm1,64(%r12)\n" \
		"psubsb %xmm1,%xmm2\n pshufb %xmm1,%xmm4\n palignr $3,%xmm1,%xmm5\n" \
		"pmovmskb %xmm2,%eax\n movnti %rax,80(%r12)\n maskmovdqu %xmm1,%xmm2\n" \
		"emms\n ldmxcsr mxcsr(%rip)\n stmxcsr 96(%r12)" RET)           \
	X(like_jumps, AVX2, "vpshufd $0x1b,%ymm0,%ymm1\n vpsrlw $3,%ymm1,%ymm2\n" \
		"vpsrld $3,%ymm2,%ymm3\n vpsrldq $3,%ymm3,%ymm4\n"             \
		"vpcmpeqb %ymm1,%ymm0,%ymm5\n vpcmpeqw %ymm1,%ymm1,%ymm6\n"    \
		"vpcmpeqd %ymm2,%ymm3,%ymm7\n vhaddpd %ymm1,%ymm2,%ymm8\n"     \
		"vhsubpd %ymm1,%ymm2,%ymm9\n vmovd %xmm1,%eax\n"               \
		"vmovdqa %ymm1,%ymm2\n vmovdqu %ymm1,64(%r12)\n"               \
		"vpbroadcastb %xmm1,%ymm10\n vpsubsb %ymm1,%ymm2,%ymm11\n"     \
		"vpsubsw %ymm1,%ymm2,%ymm12\n vpor %ymm1,%ymm0,%ymm13\n"       \
		"vpminsw %ymm1,%ymm0,%ymm14\n vpand %ymm1,%ymm0,%ymm15\n"      \
		"vpmovmskb %ymm5,%ebx\n vzeroupper" RET)                       \
	X(avx2, AVX2, "vperm2i128 $0x21,%ymm1,%ymm2,%ymm3\n vpxor %ymm0,%ymm0,%ymm0\n" \
		"vfmadd231pd %ymm1,%ymm2,%ymm3\n vextracti128 $1,%ymm4,%xmm5\n" \
		"vpblendvb %ymm1,%ymm2,%ymm3,%ymm4\n vmaskmovps %ymm1,%ymm2,64(%r12)\n" \
		"vlddqu (%r12),%ymm6\n vzeroall" RET)                          \
	X(gather, AVX2, "vpcmpeqd %ymm0,%ymm0,%ymm0\n vmovdqu indices(%rip),%ymm1\n" \
		"lea -16(%r13),%rbx\n vpgatherdd %ymm0,(%rbx,%ymm1,4),%ymm2\n" \
		"vmovdqu %ymm2,64(%r12)" RET)                                  \
	X(evex_like_jumps, AVX512, "vpshufd $0x1b,%zmm16,%zmm1\n"              \
		"vpsrld $3,%zmm2,%zmm3\n vpcmpeqd %zmm1,%zmm16,%k3\n"          \
		"vpermt2d %zmm1,%zmm2,%zmm3\n vpord %zmm1,%zmm17,%zmm18\n"     \
		"vcvttpd2udq %zmm1,%ymm2\n vmovd %xmm17,%eax\n"                \
		"vmovdqu64 %zmm1,64(%r12){%k1}\n vpcompressd %zmm1,%zmm2{%k2}\n" \
		"kmovw %k3,%ecx\n kortestw %k1,%k2\n valignd $3,%zmm1,%zmm2,%zmm19{%k1}\n" \
		"vpbroadcastd %edi,%zmm20" RET)                                \
	X(masked_fault, AVX512, "lea -32(%r13),%rbx\n vmovdqu64 %zmm1,(%rbx){%k1}\n" \
		"vmovdqu64 (%rbx),%zmm2" RET)                                  \
	X(x87, ALWAYS, "fld1\n fldpi\n faddp\n fld %st(0)\n fsqrt\n fxch\n fcomi %st(1),%st\n" \
		"fstpl 64(%r12)\n fstpt 72(%r12)\n fnstsw %ax\n fldz\n ffree %st(0)\n" \
		"fincstp" RET)                                                 \
	X(x87_pending, ALWAYS, "lea 1f(%rip),%r14\n push $0x37b\n fldcw (%rsp)\n"   \
		"pop %rax\n fld1\n fldz\n fdivrp\n fnstsw %ax\n mov %rax,%rbx\n" \
		"fwait\n mov $1,%eax\n 1: fnclex\n fninit" RET)                \
	X(xsave, ALWAYS, "mov $7,%eax\n xor %edx,%edx\n xsave64 area(%rip)\n"       \
		"pxor %xmm1,%xmm1\n mov $7,%eax\n xrstor64 area(%rip)\n"       \
		"fxsave64 area(%rip)\n pxor %xmm2,%xmm2\n fxrstor64 area(%rip)\n" \
		"xor %ecx,%ecx\n xgetbv" RET)

#define CASES(X) RELATIVE(X) TRANSFERS(X) STRINGS(X) FLAGS(X) ODD(X) VECTORS(X)
/* clang-format on */

#endif /* TARGETS_INSNS_H */
