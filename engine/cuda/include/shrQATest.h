// How NVIDIA's SDK of CUDA 4 reported whether a sample passed.
#pragma once
#warning old CUDA 'shrQATest.h' before 5.0: the exit code of main
#include <stdio.h>
#include <stdlib.h>

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };
#define shrQAStart(...) ((void)0)
static inline void __bscope_qa_end(int status) {
  printf(status == QA_PASSED ? "PASSED\n" : status == QA_WAIVED ? "WAIVED\n" : "FAILED\n");
}
#define shrQAFinish(count, arguments, status) __bscope_qa_end(status)
#define shrQAFinish2(automatic, count, arguments, status) __bscope_qa_end(status)
#define shrQAFinishExit(count, arguments, status) \
  (__bscope_qa_end(status), exit((status) == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS))
