#include "engine/timing/recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "engine/simt/family.hpp"
#include "engine/timing/recorded_json.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

constexpr const char* recording_format = "barrierscope.time/1";

}  // namespace

std::string Record::family() const {
  const auto slash = kernel.find('/');
  const std::string first = kernel.substr(0, slash);
  const bool reference = first == "cub" || first == "thrust" || first == "serial" || first == "tbb" ||
                         first == "copy" || first == "read";
  return reference && slash != std::string::npos ? kernel.substr(slash + 1) : first;
}

bool is_warm(const Record& r) { return r.warm.median > 0; }

double gb_per_s(const Record& r, double seconds) { return seconds > 0 ? r.bytes / seconds / 1e9 : 0; }

void complete(Record& r, const Recording& run) {
  r.seconds = summarise(r.samples);
  r.warm = summarise(r.warm_samples);
  r.gb_per_s = gb_per_s(r, r.seconds.median);
  r.of_copy = run.copy_gb_per_s > 0 ? r.gb_per_s / r.gpus / run.copy_gb_per_s : 0;
  r.of_peak = run.peak_gb_per_s > 0 ? r.gb_per_s / r.gpus / run.peak_gb_per_s : 0;
}

bool same_point(const Record& a, const Record& b) {
  return a.n == b.n && a.gpus == b.gpus && a.kernel == b.kernel && a.type == b.type &&
         a.parameters == b.parameters;
}

Ratio times_as_fast(const Record& ours, const Record& other) {
  if (!(other.gb_per_s > 0)) return {};
  const double value = ours.gb_per_s / other.gb_per_s;
  return {value, value * std::hypot(quartile_distance(ours.samples), quartile_distance(other.samples)) / 2};
}

std::string to_json(const Recording& run) { return recorded_text(recording_format, run, "records"); }

namespace {
constexpr const char* csv_header =
    "device,driver,date,copy_gb_per_s,read_gb_per_s,peak_gb_per_s,kernel,parameters,n,type,samples,"
    "median_s,min_s,max_s,noise,bytes,gb_per_s,of_copy,of_peak,correct,"
    "warm_samples,warm_median_s,warm_min_s,warm_max_s,warm_noise,warm_gb_per_s,cycles_per_block,clock_mhz,"
    "throttled,gpus,device_clock_mhz,device_memory_clock_mhz,notes\n";
constexpr const char* between_notes = " | ";

std::string csv_lines(const Recording& run) {
  const auto quoted = [](const std::string& s) {
    std::string q = "\"";
    for (char c : s) q += c == '"' ? std::string("\"\"") : std::string(1, c);
    return q + "\"";
  };
  const auto number = [](double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", v);
    return std::string(v > 0 ? text : "");
  };
  std::string text, notes;
  for (const EnglishMessage& note : run.notes) notes += (notes.empty() ? "" : between_notes) + note.english();
  for (const Record& r : run.records) {
    std::string parameters;
    for (const auto& [name, value] : r.parameters)
      parameters += (parameters.empty() ? "" : " ") + name + "=" + value;
    text += quoted(run.device) + "," + quoted(run.driver) + "," + quoted(run.date) + "," +
            number(run.copy_gb_per_s) + "," + number(run.read_gb_per_s) + "," + number(run.peak_gb_per_s) +
            "," + quoted(r.kernel) + "," + quoted(parameters) + "," + std::to_string(r.n) + "," +
            quoted(r.type) + "," + std::to_string(r.samples.size()) + "," + number(r.seconds.median) + "," +
            number(r.seconds.least) + "," + number(r.seconds.most) + "," + number(r.seconds.noise) + "," +
            std::to_string((long long)r.bytes) + "," + number(r.gb_per_s) + "," + number(r.of_copy) + "," +
            number(r.of_peak) + "," + (r.correct ? "true" : "false") + "," +
            (r.warm_samples.empty() ? "" : std::to_string(r.warm_samples.size())) + "," +
            number(r.warm.median) + "," + number(r.warm.least) + "," + number(r.warm.most) + "," +
            number(r.warm.noise) + "," + number(gb_per_s(r, r.warm.median)) + "," +
            number(r.cycles_per_block) + "," + number(r.clock_mhz) + "," + (r.throttled ? "true" : "false") +
            "," + std::to_string(r.gpus) + "," + number(run.clock_mhz) + "," + number(run.memory_clock_mhz) +
            "," + (notes.empty() ? "" : quoted(notes)) + "\n";
    notes.clear();
  }
  return text;
}

/// The fields of the line that begins at `at`, which is left behind its end. A quoted field may hold commas,
/// line ends and doubled quotes.
std::vector<std::string> csv_fields(std::string_view text, size_t& at) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"')
        fields.back() += c;
      else if (at + 1 < text.size() && text[at + 1] == '"')
        fields.back() += text[++at];
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      ++at;
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

/// A table that `to_csv` wrote, line by line.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
    at_ = text_.starts_with("\xef\xbb\xbf") ? 3 : 0;  // what spreadsheets put in front
    const std::vector<std::string> header = csv_fields(text_, at_);
    in_a_line_ = header.size();
    const auto find = [&](const char* column, bool needed) {
      const auto it = std::ranges::find(header, column);
      if (it != header.end()) columns_[column] = size_t(it - header.begin());
      if (it == header.end() && needed)
        throw BadFile(
            message("{} has no column \"{}\": it is no recording; export one from the Time tab, or with "
                    "`barrierscope time -o FILE.csv`",
                    name_, column));
    };
    for (const char* column : {"device", "driver", "date", "copy_gb_per_s", "read_gb_per_s", "peak_gb_per_s",
                               "kernel", "parameters", "n", "type", "median_s", "min_s", "max_s", "noise",
                               "bytes", "gb_per_s", "of_copy", "of_peak", "correct"})
      find(column, true);
    for (const char* column :
         {"warm_median_s", "warm_min_s", "warm_max_s", "warm_noise", "cycles_per_block", "clock_mhz",
          "throttled", "gpus", "device_clock_mhz", "device_memory_clock_mhz", "notes"})
      find(column, false);
  }

  /// Goes to the next line with fields; false at the end.
  bool next() {
    while (at_ < text_.size()) {
      fields_ = csv_fields(text_, at_);
      ++line_;
      if (fields_.size() == 1 && fields_[0].empty()) continue;
      if (fields_.size() < in_a_line_) fail(message("has fewer fields than the header"));
      return true;
    }
    return false;
  }

  Record record() const {
    Record r;
    r.kernel = field("kernel");
    r.type = field("type");
    if (r.kernel.empty()) fail(message("names no kernel"));
    const double n = number("n");
    if (n < 1 || n > 1e15) fail(message("has an \"n\" that is no length"));
    r.n = (long long)n;
    r.parameters = parameters();
    r.seconds = {number("median_s"), number("min_s"), number("max_s"), number("noise")};
    r.bytes = number("bytes");
    r.gb_per_s = number("gb_per_s");
    r.of_copy = number("of_copy");
    r.of_peak = number("of_peak");
    if (field("correct") != "true" && field("correct") != "false")
      fail(message("has a \"correct\" that is neither true nor false"));
    r.correct = field("correct") == "true";
    r.warm = {number("warm_median_s"), number("warm_min_s"), number("warm_max_s"), number("warm_noise")};
    r.cycles_per_block = number("cycles_per_block");
    r.clock_mhz = number("clock_mhz");
    r.throttled = field("throttled") == "true";
    const double gpus = field("gpus").empty() ? 1 : number("gpus");
    if (gpus < 1 || gpus > 1024) fail(message("has a \"gpus\" that is not a number of GPUs"));
    r.gpus = int(gpus);
    return r;
  }

  /// The recording that the record belongs to, without notes and records.
  Recording recording() const {
    return {field("device"),
            field("driver"),
            field("date"),
            number("copy_gb_per_s"),
            number("read_gb_per_s"),
            number("peak_gb_per_s"),
            number("device_clock_mhz"),
            number("device_memory_clock_mhz")};
  }

  std::vector<std::string> notes() const { return split(field("notes"), between_notes); }

 private:
  [[noreturn]] void fail(const Message& what) const {
    throw BadFile(message("{}: line {} {}", name_, line_, what));
  }
  /// What older files do not have is empty.
  std::string field(const char* column) const {
    const auto it = columns_.find(column);
    return it == columns_.end() ? std::string() : fields_[it->second];
  }
  double number(const char* column) const {
    const std::string f = field(column);
    if (f.empty()) return 0;
    char* end = nullptr;
    const double v = std::strtod(f.c_str(), &end);
    if (end != f.c_str() + f.size() || !std::isfinite(v) || v < 0)
      fail(message("has a \"{}\" that is not a number from 0 up", column));
    return v;
  }
  std::map<std::string, std::string> parameters() const {
    std::map<std::string, std::string> all;
    for (const std::string& one : split(field("parameters"), " "))
      if (const size_t sign = one.find('='); sign != std::string::npos && sign > 0)
        all[one.substr(0, sign)] = one.substr(sign + 1);
    return all;
  }
  static std::vector<std::string> split(const std::string& text, std::string_view between) {
    std::vector<std::string> all;
    for (size_t p = 0; p < text.size();) {
      const size_t end = std::min(text.find(between, p), text.size());
      all.push_back(text.substr(p, end - p));
      p = end + between.size();
    }
    return all;
  }

  std::string_view text_;
  std::string name_;
  size_t at_ = 0, in_a_line_ = 0;
  int line_ = 1;  ///< the header
  std::map<std::string, size_t> columns_;
  std::vector<std::string> fields_;
};

}  // namespace

std::string to_csv(const Recording& run) { return csv_header + csv_lines(run); }

std::string to_csv(const std::vector<Recording>& all) {
  std::string text = csv_header;
  for (const Recording& run : all) text += csv_lines(run);
  return text;
}

std::vector<Recording> read_csv(std::string_view text, const std::string& name) {
  CsvReader table(text, name);
  std::vector<Recording> all;
  while (table.next()) {
    Record r = table.record();
    Recording run = table.recording();
    auto of = std::ranges::find_if(all, [&](const Recording& x) {
      return x.device == run.device && x.driver == run.driver && x.date == run.date;
    });
    if (of == all.end()) of = all.insert(all.end(), std::move(run));
    for (std::string& note : table.notes()) of->notes.emplace_back(std::move(note));
    of->records.push_back(std::move(r));
  }
  if (all.empty()) throw BadFile(message("{} holds no record: export one from the Time tab", name));
  return all;
}

Recording read_recording(std::string_view text, const std::string& name) {
  return recorded_in<Recording>(text, name, recording_format,
                                message("measure again with `barrierscope time -o FILE.json`"));
}

Recording load_recording(const fs::path& path) { return load_recordings(path).front(); }

std::vector<Recording> load_recordings(const fs::path& path) {
  const std::string text = as_text(read_file(path, largest_recording), path.string());
  if (path.extension() == ".csv") return read_csv(text, path.string());
  return {read_recording(text, path.string())};
}

void save_recording(const Recording& run, const fs::path& path) {
  if (path.extension() == ".json") return write_whole(path, to_json(run));
  if (path.extension() == ".csv") return write_whole(path, to_csv(run));
  throw UsageError(message("cannot tell the format of {}: end the name in .json or .csv", path.string()));
}

std::vector<fs::path> save_recordings(const std::vector<Recording>& all, const fs::path& path) {
  if (path.extension() == ".csv") {
    write_whole(path, to_csv(all));
    return {path};
  }
  std::vector<fs::path> files;
  for (size_t k = 0; k < all.size(); ++k) {
    fs::path one = path;
    if (k)
      one.replace_filename(path.stem().string() + "-" + std::to_string(k + 1) + path.extension().string());
    save_recording(all[k], one);
    files.push_back(one);
  }
  return files;
}

std::string skew_text(double skew) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", skew);
  return text;
}

fs::path recordings_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  fs::path folder = program.parent_path();
  if (auto installed = folder.parent_path() / "share/barrierscope/recorded";
      fs::is_directory(installed, error))
    return installed;
  // built in a folder of the source tree, however deep
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::is_directory(folder / "assets/recorded", error)) return folder / "assets/recorded";
  return {};
}

std::vector<fs::path> recording_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Recording> recordings_in(const fs::path& folder, std::vector<std::string>* complaints) {
  std::vector<Recording> all;
  for (const auto& path : recording_files(folder)) try {
      all.push_back(load_recording(path));
    } catch (const BadFile& bad) {
      if (complaints) complaints->push_back(bad.what());
    }
  return all;
}

std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

double bytes_to_move(const std::string& family, long long n, const std::string& type) {
  const Family f = family_of(family);
  const double size = f.takes_keys || type == "uint8" ? 1 : type == "double" ? 8 : 4;
  return f.passes * double(n) * size;
}

}  // namespace bscope
