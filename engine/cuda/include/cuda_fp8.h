// numbers of 8 bits: what a program uses of it is refused where it is used.
#pragma once
