// The files of a page's folder as an HTTP server hands them out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bscope {

struct SiteFile {
  std::filesystem::path path;  ///< empty: there is none of this address
  std::string type;            ///< its media type
  std::string coding;          ///< "br" or "gzip" where that form of it is handed out; else empty
  std::string mark;            ///< an ETag, of its time and size
};
/// The file of an address ("/app.html?x=1"), in a form that the browser accepts (its Accept-Encoding).
/// Folders have an index.html; nothing outside of the folder is found.
SiteFile site_file(const std::filesystem::path& folder, std::string_view target, std::string_view accepted);

}  // namespace bscope
