// numbers of 8 bits or bfloat16: what a program uses of it is refused where it is used.
#pragma once
