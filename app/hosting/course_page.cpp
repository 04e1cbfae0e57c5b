#include "app/hosting/course_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/assignments/course.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/programs.hpp"
#include "app/links/query.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/child.hpp"
#include "engine/cuda/toolchain/places.hpp"
#include "engine/cuda/toolchain/program.hpp"
#include "engine/cuda/toolchain/run_folder.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using PackEntry = std::pair<std::string, std::string>;  ///< a path in the page, and bytes

constexpr uint64_t most_of_a_file = most_of_a_course_file, most_in_all = most_in_a_course;
constexpr double seconds_to_compile = 1800;

std::string pack_of(const std::vector<PackEntry>& entries) {
  ordered_json head = ordered_json::array();
  for (const auto& [path, bytes] : entries) head.push_back({path, bytes.size()});
  std::string all = json_text(head) + "\n";
  for (const auto& [path, bytes] : entries) all += bytes;
  return all;
}

/// FNV-1a: a name that changes with the content, so that browsers may keep the file.
std::string name_of_content(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char b : bytes) hash = (hash ^ b) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text)
    all += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return all;
}
/// As a part of an address.
std::string in_address(std::string_view text) { return percent_encoded(text, "-_.~/"); }

/// The page that is written, file by file, into a folder that takes its place at the end.
class CoursePage {
 public:
  explicit CoursePage(const CourseOptions& options)
      : options_(options), new_(options.out.string() + ".new"), course_(read_course(options.course)) {
    std::error_code none;
    if (!fs::is_regular_file(options.page / "app.html", none))
      throw UsageError(message("{} is not the folder of a page, which has an app.html: ./web.sh builds one",
                               options.page.string()));
    const bool is_page =
        fs::is_regular_file(options.out / "app.html", none) || fs::is_empty(options.out, none);
    if (fs::exists(options.out, none) && !is_page)
      throw UsageError(
          message("{} is there already and is no page: name another folder", options.out.string()));
  }

  std::vector<Message> write() {
    fs::remove_all(new_);
    fs::create_directories(new_);
    fs::copy(options_.page, new_, fs::copy_options::recursive);
    fs::create_directories(new_ / "course");
    add_assets();
    add_programs();
    add_assignments();
    add_recordings();
    add_ahead();
    write_settings();
    write_index();
    tell_service_worker();
    fs::remove_all(options_.out);
    fs::rename(new_, options_.out);
    return std::move(notes_);
  }

 private:
  std::string read(const fs::path& file) const { return read_file(options_.course / file, most_of_a_file); }
  /// A file of the course in the page, by its content. Returns its address.
  std::string add(std::string_view bytes, const std::string& ending) {
    const std::string address = "course/" + name_of_content(bytes) + ending;
    write_scratch(new_ / address, bytes);
    added_.insert(address);
    return address;
  }

  /// The link that opens a program of a pack.
  static std::string in_app(const std::string& file, const std::string& pack) {
    return "app.html?kernel=" + in_address(file) + "#files=" + pack;
  }

  /// Lessons and assignments lie where the app looks for its own.
  void add_assets() {
    std::vector<PackEntry> entries;
    const auto add_lesson_file = [&](const std::string& name, std::string bytes) {
      entries.emplace_back("/assets/lessons/en/" + name, std::move(bytes));
    };
    for (const std::string& lesson : course_.lessons) {
      add_lesson_file(fs::path(lesson).filename().string(), read(lesson));
      const Lesson parsed = parse_lesson(read(lesson), (options_.course / lesson).string());
      for (const std::string& file : programs_of(parsed))
        add_lesson_file(fs::path(file).filename().string(), read_file(file, most_of_a_file));
      for (const Target& t : program_targets(parsed))
        compile("assets/lessons/en/" + fs::path(t.file).filename().string(), t.file, t.program);
    }
    for (const std::string& folder : course_.assignments)
      for (const fs::directory_entry& file : fs::directory_iterator(options_.course / folder))
        if (file.is_regular_file())
          entries.emplace_back("/assets/assignments/" + fs::path(folder).filename().string() + "/" +
                                   file.path().filename().string(),
                               read_file(file.path(), most_of_a_file));
    if (!entries.empty()) packs_.push_back(add(pack_of(entries), ".pack"));
  }
  /// The file is compiled under that path, once with each set of constants and for each GPU that is played.
  void compile(const std::string& in_page, const fs::path& file, const cuda::Program& program) {
    ordered_json one{{"name", file.filename().string()},
                     {"main", in_page},
                     {"files", {{in_page, fs::absolute(file).string()}}},
                     {"constants", to_fields_json(program).at("constants")},
                     {"device_model", program.device_model}};
    if (std::ranges::find(to_compile_, one) == to_compile_.end()) to_compile_.push_back(std::move(one));
  }
  /// What an assignment begins with is opened as a program; its runs set constants.
  void add_assignments() {
    for (const CourseAssignment& one : assignments_of(course_)) try {
        if (!one.assignment) {
          notes_.push_back(one.mistake);
          continue;
        }
        const Assignment& a = *one.assignment;
        if (a.start.empty()) continue;
        const std::string name = a.start.filename().string();
        compile(name, a.start, {});
        for (const AssignedRun& run : a.runs) {
          cuda::Program program;
          program.constants = run.constants;
          compile(name, a.start, program);
        }
        const std::string address = add(pack_of({{name, read_file(a.start, most_of_a_file)}}), ".pack");
        assignments_.push_back({in_app(name, address), a.title, a.task});
      } catch (const BadFile& e) { notes_.push_back(e.message()); }
  }
  void add_programs() {
    for (const CourseProgram& p : course_.programs) {
      std::vector<PackEntry> entries;
      for (const std::string& file : p.files) entries.emplace_back(file, read(fs::path(p.folder) / file));
      const std::string address = add(pack_of(entries), ".pack");
      links_[p.name] = in_app(p.files.front(), address);
    }
  }
  void add_recordings() {
    for (const std::string& file : course_.recordings)
      links_[file] =
          "app.html#files=" + add(pack_of({{fs::path(file).filename().string(), read(file)}}), ".pack");
  }

  /// What clang and the linker make of the programs, as the page will ask for it
  /// (engine/cuda/web/ahead_tools.js).
  void add_ahead() {
    if (course_.programs.empty() && to_compile_.empty()) return;
    const std::string node = cuda::find_program("node");
    if (node.empty())
      throw cuda::NoToolchain(
          message("there is no node, which compiles a course's programs for its page: install nodejs, "
                  "clang-19 and lld-19"));
    const cuda::RunFolder folder;
    ordered_json asked = ordered_json::array();
    for (const CourseProgram& p : course_.programs) {
      ordered_json files = ordered_json::object();
      for (const std::string& file : p.files)
        files[file] = fs::absolute(options_.course / p.folder / file).string();
      asked.push_back({{"name", p.name}, {"main", p.files.front()}, {"files", std::move(files)}});
    }
    for (const ordered_json& p : to_compile_) asked.push_back(p);
    const fs::path ahead = folder.path() / "ahead", said = folder.path() / "said.json";
    write_scratch(
        folder.path() / "asked.json",
        json_text(ordered_json::array({{{"record", ahead.string()}, {"programs", std::move(asked)}}})));
    const cuda::Ended ended =
        cuda::run({.words = {node, script().string(), (folder.path() / "asked.json").string(), said.string()},
                   .where = folder.path(),
                   .environment = {"PATH=/usr/bin:/bin", "TMPDIR=" + folder.path().string()},
                   .seconds = seconds_to_compile});
    if (!ended.good())
      throw UsageError(
          message("the programs of the course could not be compiled: {}", ended.output.substr(0, 2000)));
    const ordered_json wrong = parse_json(read_file(said, size_t(1) << 24), "said.json");
    for (const auto& [name, why] : wrong.items())
      notes_.push_back(message("{}: {}", name, Message::from_json(why, "said.json")));
    ahead_ = add(read_file(ahead, most_in_all), ".ahead");
  }
  fs::path script() const {
    std::error_code none;
    for (const fs::directory_entry& version : fs::directory_iterator(new_ / "own_code", none))
      if (fs::path file = version.path() / "worker" / "compile_ahead.mjs"; fs::is_regular_file(file))
        return file;
    throw UsageError(message("the page in {} does not run users' programs: build it with ./web.sh --programs",
                             options_.page.string()));
  }

  void write_settings() {
    ordered_json site = parse_json(read_file(new_ / "site.json", most_of_a_file), "site.json");
    site["packs"] = packs_;
    if (!ahead_.empty()) site["ahead"][""] = ahead_;
    write_scratch(new_ / "site.json", json_text(site) + "\n");
  }

  void write_index() const {
    std::string body;
    const auto section = [&](const std::string& heading, const std::string& items) {
      if (!items.empty()) body += fmt::format("<h2>{}</h2>\n<ul>\n{}</ul>\n", escaped(heading), items);
    };
    const auto item = [](const std::string& link, const std::string& title, const std::string& more) {
      return fmt::format("<li><a href=\"{}\"><h3>{}</h3><p>{}</p></a></li>\n", escaped(link), escaped(title),
                         escaped(more));
    };
    std::string lessons, assignments, recordings;
    for (const std::string& file : course_.lessons) {
      const Lesson lesson = parse_lesson(read(file), file);
      lessons += item("app.html?lesson=" + in_address(lesson.id), lesson.title, lesson.about);
    }
    section(tr("Lessons"), lessons);
    std::map<std::string, std::string> programs;
    for (const CourseProgram& p : course_.programs)
      programs[p.folder] += item(links_.at(p.name), p.title, p.files.front());
    for (const auto& [folder, items] : programs) section(folder.empty() ? tr("Programs") : folder, items);
    for (const PageLink& a : assignments_) assignments += item(a.link, a.title, a.text);
    section(tr("Assignments"), assignments);
    for (const std::string& file : course_.recordings)
      recordings += item(links_.at(file), fs::path(file).stem().string(), file);
    section(tr("Recorded runs"), recordings);
    std::string page = read_file(new_ / "course_template.html", most_of_a_file);
    const auto put = [&](std::string_view mark, const std::string& text) {
      for (size_t at; (at = page.find(mark)) != std::string::npos;) page.replace(at, mark.size(), text);
    };
    put("@title@", escaped(course_.title));
    put("@body@", body);
    write_scratch(new_ / "course.html", page);
  }

  /// The service worker keeps what it knows by its content.
  void tell_service_worker() const {
    ordered_json names = ordered_json::array();
    for (const std::string& address : added_) names.push_back(address);
    const fs::path file = new_ / "service_worker.js";
    write_scratch(file, read_file(file, most_of_a_file) + "\nofCourse.push(..." + json_text(names) + ");\n");
    for (const fs::directory_entry& old :
         fs::directory_iterator(new_))  // a server would hand these out instead
      for (const char* packed :
           {"service_worker.js.br", "service_worker.js.gz", "site.json.br", "site.json.gz"})
        if (old.path().filename() == packed) fs::remove(old.path());
  }

  const CourseOptions& options_;
  fs::path new_;
  Course course_;
  std::map<std::string, std::string> links_;  ///< of programs and recordings, by name
  std::set<std::string> added_;
  std::vector<std::string> packs_;
  std::vector<ordered_json> to_compile_;  ///< beside the course's programs
  struct PageLink {
    std::string link, title, text;
  };
  std::vector<PageLink> assignments_;
  std::string ahead_;
  std::vector<Message> notes_;
};

}  // namespace

std::vector<Message> write_course_page(const CourseOptions& options) { return CoursePage(options).write(); }

}  // namespace bscope
