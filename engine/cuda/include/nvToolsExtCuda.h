// All of it is in nvToolsExt.h.
#pragma once
#include "nvToolsExt.h"
