// Thrust: what a program uses of it is refused where it is used.
#pragma once
namespace thrust {}
