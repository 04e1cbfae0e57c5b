// The helpers of NVIDIA's samples, for programs whose Common folder is not there.
#pragma once
#include <assert.h>
#include <math.h>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
