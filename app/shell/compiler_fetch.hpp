// A page fetches its compiler with the first program (app/web/site/own_code_worker.js).
#pragma once

namespace bscope {

struct CompilerFetch {
  float share = 1;  ///< that is here, 0 to 1
};

}  // namespace bscope
