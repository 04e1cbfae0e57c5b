#include "app/tabs/watch/timeline.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/fitting.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

class Timeline {
 public:
  Timeline(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h)
      : model_(model), theme_(t), pen_(picture_, m), block_(model.block(c)), track_(model.track(c)) {
    picture_.width = w;
    picture_.height = h;
  }

  Picture draw() {
    layout();
    chapters();
    overview();
    phases();
    box_present();
    for (int k = first_; k < first_ + count_; ++k) {
      lanes(k);
      if (traffic_h_ > 0) traffic(k);
      pen_.hit({track_.by_block ? Hit::step : Hit::interval,
                {x_of(k), chapter_h_ + overview_h_ + px(2), pitch_,
                 picture_.height - chapter_h_ - overview_h_ - px(4)},
                track_.by_block ? step(k).flow_index : k,
                0,
                tip(k),
                "step:" + std::to_string(k)});
    }
    barriers();
    frame_present();
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  const Step& step(int k) const { return *track_.steps[size_t(k)]; }
  int present() const { return track_.present; }
  static std::string by(const std::string& stride) { return say("by {}", stride); }
  float x_of(int k) const { return left_ + pitch_ * float(k - first_); }

  void layout() {
    const float size = px(theme_.size_label);
    const std::string traffic_name(block_.sectors ? say("sectors") : say("wavefronts taken")),
        phase_word(track_.by_block ? say("block") : say("phase")), working(say("threads working"));
    const auto& launches = model_.trace().launches;
    const bool many = launches.size() > 1 && !theme_.projector();
    const bool named = !theme_.projector() && picture_.width > px(600);
    left_ = px(8);
    if (named)
      left_ += std::max({pen_.width(phase_word, size), pen_.width(working, size),
                         pen_.width(traffic_name, size), pen_.width(say("launch"), size)}) +
               px(12);
    const float room = picture_.width - left_ - px(10);
    const int all = int(track_.steps.size());
    // hundreds of steps: as many as keep a few pixels each, around the present
    const int fit = std::max(1, int(room / px(6)));
    count_ = std::min(all, fit);
    first_ = std::clamp(present() - count_ / 2, 0, all - count_);
    pitch_ = std::min(room / float(count_), px(theme_.projector() ? 320 : 280));
    model_.prepare(std::span(track_.steps).subspan(size_t(first_), size_t(count_)));

    chapter_h_ = many ? px(22) : 0;
    overview_h_ = count_ < all ? px(10) : 0;
    const float inner = picture_.height - chapter_h_ - overview_h_ - px(16);
    traffic_h_ = theme_.projector() ? 0 : std::min(px(26), inner * 0.27f);
    phase_h_ = std::min(px(theme_.projector() ? 38 : 26), inner * 0.42f);
    phase_y_ = chapter_h_ + overview_h_ + px(8);
    const float rest = inner - phase_h_ - traffic_h_;
    lane_h_ = std::min(rest * 0.75f, px(theme_.projector() ? 30 : 24));
    lane_y_ = phase_y_ + phase_h_ + (rest - lane_h_) / 2;
    traffic_y_ = picture_.height - px(8) - traffic_h_;
    if (named) {
      const float x = left_ - px(12);
      if (many)
        pen_.text({x, px(4) + chapter_h_ / 2}, say("launch"), size, theme_.ink2, Font::text, Align::right);
      pen_.text({x, phase_y_ + phase_h_ / 2}, phase_word, size, theme_.ink2, Font::text, Align::right);
      pen_.text({x, lane_y_ + lane_h_ / 2}, working, size, theme_.ink2, Font::text, Align::right);
      if (traffic_h_ > 0)
        pen_.text({x, traffic_y_ + traffic_h_ / 2}, traffic_name, size, theme_.ink2, Font::text,
                  Align::right);
      pen_.hit(
          {Hit::other,
           {0, traffic_y_, left_ - px(8), traffic_h_},
           0,
           0,
           std::string(block_.sectors
                           ? say("A sector is 32 bytes of global memory: what one transaction moves.")
                           : say("A wavefront is one turn of the shared memory's 32 banks; lanes that want "
                                 "different words of one bank take extra turns.")) +
               say(" Blue: reads; orange: writes; purple: atomics; pink: more than would be "
                   "needed."),
           "timeline:traffic"});
    }
  }

  // The run's launches, side by side: the present one is spread out below.
  void chapters() {
    if (chapter_h_ == 0) return;
    const auto& launches = model_.trace().launches;
    const float size = px(theme_.size_label - 1), room = picture_.width - left_ - px(10);
    const int fit = std::max(1, int(room / px(30))), all = int(launches.size()), count = std::min(all, fit);
    const int first = std::clamp(block_.launch - count / 2, 0, all - count);
    const float each = std::min(room / float(count), px(260)), h = chapter_h_ - px(4);
    for (int k = first; k < first + count; ++k) {
      const Box box{left_ + each * float(k - first) + px(1), px(6), each - px(2), h};
      const bool here = k == block_.launch;
      pen_.rect(box, here ? theme_.selected : theme_.panel, here ? theme_.ink2 : theme_.line, px(1), px(4));
      const std::string number = std::to_string(launch_number(k)), &name = launches[size_t(k)].name;
      const std::string whole = name.empty() ? number : number + "  " + said(name);
      const Font font = here ? Font::text_bold : Font::text;
      const std::string& words = pen_.width(whole, size, font) <= box.w - px(8) ? whole : number;
      if (pen_.width(words, size, font) <= box.w)
        pen_.text(box.centre(), words, size, here ? theme_.ink : theme_.ink2, font, Align::centre);
      if (here) {
        // a tab: the steps below are this launch's, whatever stands over each of them
        const float y = box.bottom(), end = picture_.width - px(10);
        pen_.line({left_, y}, {box.x, y}, theme_.ink2, px(1));
        pen_.line({box.right(), y}, {end, y}, theme_.ink2, px(1));
        pen_.rect({box.x + px(1), y - px(1.5f), box.w - px(2), px(3)}, theme_.selected);
      }
      const auto block = model_.flow().of_block(k, 0);
      if (!block.empty())
        pen_.hit({Hit::step, box, int(block.data() - model_.flow().intervals.data()), 0,
                  say("Launch {0}, {1}: {2} steps of each block. Click to go to its first step.",
                      launch_number(k), said(name), block.size()),
                  "timeline:launch:" + std::to_string(k)});
    }
  }

  // Of more steps than there is room for: the part that is spread out, and where the present is.
  void overview() {
    if (overview_h_ == 0) return;
    const int all = int(track_.steps.size());
    const Box bar{left_, chapter_h_ + px(5), picture_.width - left_ - px(10), px(5)};
    const auto x_at = [&](float k) { return bar.x + bar.w * k / float(all); };
    pen_.rect(bar, mix(theme_.line, theme_.panel, 0.7f), 0, 1, px(2));
    const float x0 = x_at(float(first_)), x1 = x_at(float(first_ + count_));
    pen_.rect({x0, bar.y, std::max(x1 - x0, px(4)), bar.h}, theme_.ink3, 0, 1, px(2));
    pen_.rect({x_at(float(present()) + 0.5f) - px(1.5f), bar.y - px(2), px(3), bar.h + px(4)},
              theme_.dark() ? theme_.changed : theme_.ink);
    const int parts = std::min(all, 100);
    for (int p = 0; p < parts; ++p) {
      const int k = int((int64_t(2 * p + 1) * all) / (2 * parts));
      pen_.hit({Hit::step,
                {bar.x + bar.w * float(p) / float(parts), bar.y - px(3), bar.w / float(parts), px(11)},
                step(k).flow_index,
                0,
                say("Step {} of {}. Click to go there.", step_number(k), all),
                "timeline:part:" + std::to_string(p)});
    }
  }

  /// A phase's name that has no room at full size: small, in one line or two; empty: not even so.
  struct Small {
    std::vector<std::string> lines;
    float size = 0;
  };
  Small in_small(const std::string& name, float room) const {
    if (theme_.projector()) return {};
    for (const float size : {px(11), px(10), px(9)}) {
      const std::vector<std::string> lines = in_lines(pen_, name, room, size, Font::text_bold);
      if (lines.size() <= 2 && phase_h_ >= size * 2.1f && all_fit(pen_, lines, room, size, Font::text_bold))
        return {lines, size};
    }
    return {};
  }

  void phases() {
    const float size = px(theme_.size_label), stride_size = px(theme_.projector() ? 22 : 12);
    for (int k = first_; k < first_ + count_;) {
      const Step& s = step(k);
      const int end =
          track_.by_block ? k + 1 : std::min(k - s.phase_number + 1 + s.phase_count, first_ + count_);
      const Box band{x_of(k) + px(1), phase_y_, pitch_ * float(end - k) - px(2), phase_h_};
      const Colour fill = theme_.phase(s.interval->phase);
      pen_.rect(band, fill, 0, 1, std::min(px(4), band.w / 4));
      const Colour ink = theme_.on(fill);
      std::string name = track_.by_block ? std::to_string(s.interval->block) : phase_name(model_, s);
      // a name that the first step has no room for is cut at its hyphen: no step's frame then crosses it
      if (spoken() == Language::en && pen_.width(name, size, Font::text_bold) > pitch_ - px(12) &&
          name.find('-') != std::string::npos)
        name.resize(name.find('-'));
      const bool single = end - k == 1;
      // the name in the first step's share of the band; strides in all, as far as there is room
      std::vector<std::string> strides;
      bool strides_fit = !single;
      for (int j = k; j < end; ++j) {
        strides.push_back(step(j).stride() ? std::to_string(step(j).stride()) : "");
        if (pen_.width(by(strides.back()), stride_size) > pitch_ - px(10)) strides_fit = false;
      }
      const float name_w = pen_.width(name, size, Font::text_bold);
      const float first_w = pen_.width(strides[0], stride_size) + px(6);
      const float gap = px(6);
      if (strides_fit && name_w + first_w + gap * 2 <= pitch_) {
        pen_.text({band.x + gap, band.centre().y}, name, size, ink, Font::text_bold);
        for (int j = k; j < end; ++j)
          pen_.text(
              {x_of(j + 1) - gap, band.centre().y},
              j == k || strides[size_t(j - k)].empty() ? strides[size_t(j - k)] : by(strides[size_t(j - k)]),
              stride_size, ink, Font::text, Align::right);
      } else if (const Small small = in_small(name, pitch_ - gap * 2);
                 !small.lines.empty() && (!single || name_w > band.w - px(8))) {
        // in the first step's share too: no step's frame crosses it
        const auto y_of = [&](size_t line) {
          return band.centre().y + (float(line) - float(small.lines.size() - 1) / 2) * small.size * 1.05f;
        };
        for (size_t n = 0; n < small.lines.size(); ++n)
          pen_.text({band.x + gap, y_of(n)}, small.lines[n], small.size, ink, Font::text_bold);
        const bool beside =
            pen_.width(small.lines.back(), small.size, Font::text_bold) + first_w + gap * 2 <= pitch_;
        for (int j = beside ? k : k + 1; j < end && strides_fit; ++j) {
          const std::string& stride = strides[size_t(j - k)];
          const float y = j == k ? y_of(small.lines.size() - 1) : band.centre().y;
          pen_.text({x_of(j + 1) - gap, y}, j == k || stride.empty() ? stride : by(stride), stride_size, ink,
                    Font::text, Align::right);
        }
      } else if (!theme_.projector() && strides_fit && name_w + gap * 2 <= pitch_ * float(end - k)) {
        // the name over several steps: strides where it leaves room
        const Box at = pen_.text({band.x + gap, band.centre().y}, name, size, ink, Font::text_bold);
        for (int j = k; j < end; ++j) {
          const std::string words = strides[size_t(j - k)].empty() ? "" : by(strides[size_t(j - k)]);
          if (x_of(j + 1) - gap - pen_.width(words, stride_size) > at.right() + gap)
            pen_.text({x_of(j + 1) - gap, band.centre().y}, words, stride_size, ink, Font::text,
                      Align::right);
        }
      } else if (band.w > px(24) || pen_.width(name, size, Font::text_bold) < band.w - px(4)) {
        // whole or not at all: the tip has it
        const std::string& words = name;
        if (name_w <= band.w - px(8)) {
          if (single)
            pen_.text(band.centre(), words, size, ink, Font::text_bold, Align::centre);
          else
            pen_.text({band.x + px(4), band.centre().y}, words, size, ink, Font::text_bold);
        }
      }
      k = end;
    }
  }

  void box_present() {
    pen_.rect({x_of(present()) + px(1), phase_y_ + phase_h_ + px(2), pitch_ - px(2),
               picture_.height - phase_y_ - phase_h_ - px(8)},
              theme_.selected);
  }
  void frame_present() {
    const float w = std::max(pitch_, px(6));
    const float top = chapter_h_ + overview_h_ + px(3);
    pen_.rect({x_of(present()) + pitch_ / 2 - w / 2, top, w, picture_.height - top - px(3)}, 0,
              theme_.dark() ? theme_.changed : theme_.ink, px(2.5f), px(4));
  }

  // Full strength up to now; the future's structure is known, its strength says that it is still to come.
  Colour in_time(Colour c, int k) const {
    return k <= present() ? c : mix(c, theme_.panel, theme_.dark() ? 0.6f : theme_.projector() ? 1.0f : 0.7f);
  }

  void lanes(int k) {
    const Step& s = step(k);
    const int threads = int(s.works.size());
    const float inset = std::min(px(5), pitch_ * 0.12f);
    const Box box{x_of(k) + inset, lane_y_, pitch_ - 2 * inset, lane_h_};
    const float lane_w = box.w / float(threads);
    if (lane_w >= px(3)) {
      const float gap = std::min(px(2), lane_w * 0.25f), w = std::min(lane_w, px(14));
      for (int t = 0; t < threads; ++t) {
        const Box lane{box.x + float(t) * w + gap / 2, box.y, w - gap, box.h};
        if (s.works[size_t(t)])
          pen_.rect(lane, in_time(theme_.thread, k), 0, 1, px(1));
        else
          pen_.rect(lane, 0, mix(theme_.idle, theme_.panel, 0.5f), px(1), px(1));
      }
    } else {
      // too many for marks: how large a part of them
      const float part = threads ? float(s.working) / float(threads) : 0;
      pen_.rect(box, 0, mix(theme_.idle, theme_.panel, 0.5f), px(1));
      const bool wide = box.w >= px(20);
      const Box full = wide ? Box{box.x, box.y, box.w * part, box.h}
                            : Box{box.x, box.y + box.h * (1 - part), box.w, box.h * part};
      if (part > 0) pen_.rect(full, in_time(theme_.thread, k));
    }
  }

  void traffic(int k) {
    const Traffic& t = step(k).traffic();
    if (!t.total()) return;
    const float size = px(theme_.size_label - 1);
    const float inset = std::min(px(5), pitch_ * 0.12f), y = traffic_y_ + traffic_h_ / 2;
    const float x = x_of(k) + inset;
    const std::string count = std::to_string(t.total());
    const float count_w = pen_.width(count, size, Font::mono_bold);
    float room = pitch_ - 2 * inset;
    if (count_w + px(6) <= room) {
      pen_.text({x_of(k + 1) - inset, y}, count, size, k <= present() ? theme_.ink : theme_.ink3,
                Font::mono_bold, Align::right);
      room -= count_w + px(6);
    }
    const std::pair<int, Colour> kinds[] = {{t.read, theme_.read},
                                            {t.write, theme_.write},
                                            {t.atomic, theme_.atomic},
                                            {t.extra, theme_.conflict}};
    // what the row does not count: atomics on one address are served one after the other
    if (t.queue > 1) {
      const std::string words = say("queue of {}", t.queue);
      const float w = pen_.width(words, size);
      if (w + px(6) <= room * 0.6f) {
        const Colour ink = k == present() ? theme_.ink : theme_.ink3;
        pen_.text({x + room, y}, words, size, ink, Font::text, Align::right);
        room -= w + px(6);
      }
    }
    const float block_h = px(13);
    const float block_w = std::min(px(19), room / float(t.total()));
    float at = x;
    if (block_w >= px(5)) {
      for (const auto& [n, colour] : kinds)
        for (int b = 0; b < n; ++b, at += block_w)
          pen_.rect({at, y - block_h / 2, block_w - px(block_w > px(10) ? 3 : 1.5f), block_h},
                    in_time(colour, k), 0, 1, px(2));
    } else if (room > px(2)) {
      for (const auto& [n, colour] : kinds) {
        const float w = room * float(n) / float(t.total());
        if (n) pen_.rect({at, y - block_h / 2, w, block_h}, in_time(colour, k));
        at += w;
      }
    }
  }

  void barriers() {
    if (pitch_ < px(10) || track_.by_block) return;
    for (int k = first_ + 1; k < first_ + count_; ++k) {
      const float x = x_of(k);
      const bool passed = k <= present();
      const float top = phase_y_ + phase_h_ + px(3), bottom = picture_.height - px(8);
      if (passed)
        pen_.line({x, top}, {x, bottom}, theme_.barrier, px(1.5f));
      else
        pen_.line({x, top}, {x, bottom}, theme_.ink3, px(1), px(3));
    }
  }

  std::string tip(int k) const {
    const Step& s = step(k);
    const std::string phase = phase_name(model_, s);
    std::string out = track_.by_block ? say("Block {}, {}", s.interval->block, phase)
                                      : say("Step {}, {}", step_number(k), phase);
    if (s.stride()) out += say(", stride {}", s.stride());
    out += say(": {} of {} threads work", s.working, s.works.size());
    const Traffic& t = s.traffic();
    if (t.total()) out += block_.sectors ? say(", {} sectors", t.total()) : say(", {} wavefronts", t.total());
    if (t.extra) out += say(" ({} more than needed)", t.extra);
    if (t.queue > 1) out += say(", {} atomics in a row on one cell", t.queue);
    return out + say(".");
  }

  const Moments& model_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
  const BlockSteps& block_;
  const Track track_;
  float left_ = 0, pitch_ = 0;
  int first_ = 0, count_ = 0;
  float chapter_h_ = 0, overview_h_ = 0;
  float phase_y_ = 0, phase_h_ = 0, lane_y_ = 0, lane_h_ = 0, traffic_y_ = 0, traffic_h_ = 0;
};

}  // namespace

Picture timeline(const Moments& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                 float height) {
  if (model.step(c)) return Timeline(model, c, t, m, width, height).draw();
  Picture empty;
  empty.width = width;
  empty.height = height;
  return empty;
}

}  // namespace bscope
