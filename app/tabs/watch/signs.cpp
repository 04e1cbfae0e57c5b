#include "app/tabs/watch/signs.hpp"

#include "app/draw/theme.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::string word_for(Sign s) {
  switch (s) {
    case Sign::read: return tr("read");
    case Sign::write: return tr("write");
    case Sign::changed: return tr("changed");
    case Sign::working: return tr("working");
    case Sign::idle: return tr("idle");
    case Sign::barrier: return tr("barrier");
    case Sign::atomic: return tr("atomic");
    case Sign::extra: return tr("extra");
    case Sign::stuck: return tr("stuck");
  }
  return {};
}

void draw_sign(Pen& pen, const Theme& t, Sign s, Box b) {
  const float y = b.centre().y;
  const auto arrow = [&](Colour c) {
    pen.line({b.x, y}, {b.right() - t.px(5), y}, c, t.px(2));
    pen.arrow_head({b.right(), y}, {1, 0}, t.px(7), c);
  };
  switch (s) {
    case Sign::read: return arrow(t.read);
    case Sign::write: return arrow(t.write);
    case Sign::changed: return pen.rect(b, t.changed, t.dark() ? 0 : t.ink, 1, t.px(2));
    case Sign::working: return pen.rect(b, t.thread, 0, 1, t.px(2));
    case Sign::idle: pen.hatch(b, t.idle, t.px(4)); return pen.rect(b, 0, t.idle, 1, t.px(2));
    case Sign::barrier: return pen.line({b.x, y}, {b.right(), y}, t.barrier, t.px(2), t.px(4));
    case Sign::atomic: return pen.rect(b, t.atomic, 0, 1, t.px(2));
    case Sign::extra: return pen.rect(b, t.conflict, 0, 1, t.px(2));
    case Sign::stuck: return draw_stuck_frame(pen, t, b);
  }
}

}  // namespace bscope
