//! Plots as SVG: lines on two logarithmic axes, and bars.

use crate::page::save_plot;
use std::fmt::Write;

/// A line of a plot.
#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

impl Series {
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self { name: name.into(), points: points.into_iter().collect() }
    }
}

/// A plot with logarithmic axes.
#[derive(Debug, Clone)]
pub struct Plot {
    pub title: String,
    /// The labels, with units.
    pub axes: [String; 2],
    pub series: Vec<Series>,
    /// True if points have markers; false for series with thousands of points.
    pub marks: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 380.0;
/// Height of a line of the legend, which is above the plot.
const LEGEND: f64 = 18.0;
/// Left, top, right and bottom margin.
const MARGIN: [f64; 4] = [72.0, 44.0, 20.0, 52.0];
/// Distinguishable with color blindness (Okabe and Ito), and by their dashes.
const COLORS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#4b4b4b", "#56b4e9"];
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// Maps numbers to positions on a logarithmic axis.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64> + Clone, [from, to]: [f64; 2], padding: f64) -> Self {
        let positive = values.filter(|value| *value > 0.0);
        let low = positive.clone().fold(f64::INFINITY, f64::min).log10();
        let high = positive.fold(f64::NEG_INFINITY, f64::max).log10();
        // A constant needs some range to be recognizable.
        let (low, high) = if high - low < 0.5 { (low - 0.4, high + 0.4) } else { (low, high) };
        let padding = padding * (high - low);
        Self { low: low - padding, high: high + padding, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns powers of ten and, if there are few, twice and five times those.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = if self.high - self.low < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        all.filter(|tick| (self.low - 1e-9..=self.high + 1e-9).contains(&tick.log10())).collect()
    }
}

impl Plot {
    /// Writes the plot to `docs/plots/NAME.svg`.
    pub fn save(&self, name: &str) {
        save_plot(name, &self.to_svg());
    }

    fn to_svg(&self) -> String {
        let [left, top, right, bottom] = MARGIN;
        let legend = LEGEND * self.series.len() as f64;
        let (top, height) = (top + legend, HEIGHT + legend);
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let x = Scale::new(points().map(|point| point.0), [left, WIDTH - right], 0.03);
        let y = Scale::new(points().map(|point| point.1), [height - bottom, top], 0.08);
        let mut svg = header(&self.title, height);
        for tick in x.ticks() {
            let at = x.at(tick);
            line(&mut svg, [at, y.from, at, y.to], "#e3e3e3");
            text(&mut svg, [at, y.from + 18.0], "middle", &number(tick));
        }
        for tick in y.ticks() {
            let at = y.at(tick);
            line(&mut svg, [x.from, at, x.to, at], "#e3e3e3");
            text(&mut svg, [x.from - 8.0, at + 4.0], "end", &number(tick));
        }
        line(&mut svg, [x.from, y.from, x.to, y.from], "#444");
        line(&mut svg, [x.from, y.from, x.from, y.to], "#444");
        text(&mut svg, [0.5 * (x.from + x.to), height - 12.0], "middle", &self.axes[0]);
        let middle = 0.5 * (y.from + y.to);
        let _ = writeln!(
            svg,
            r#"<text x="18" y="{middle:.1}" transform="rotate(-90 18 {middle:.1})" text-anchor="middle">{}</text>"#,
            escaped(&self.axes[1])
        );
        for (i, series) in self.series.iter().enumerate() {
            let (color, dashes) = (COLORS[i % COLORS.len()], DASHES[i / 2 % DASHES.len()]);
            let seen = series.points.iter().filter(|point| point.0 > 0.0 && point.1 > 0.0);
            let path: Vec<String> =
                seen.clone().map(|point| format!("{:.1},{:.1}", x.at(point.0), y.at(point.1))).collect();
            let _ = writeln!(
                svg,
                r#"<polyline points="{}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>"#,
                path.join(" ")
            );
            for point in seen.filter(|_| self.marks) {
                let _ = writeln!(
                    svg,
                    r#"<circle cx="{:.1}" cy="{:.1}" r="3.2" fill="{color}"/>"#,
                    x.at(point.0),
                    y.at(point.1)
                );
            }
        }
        for (i, series) in self.series.iter().enumerate() {
            let (color, dashes) = (COLORS[i % COLORS.len()], DASHES[i / 2 % DASHES.len()]);
            let (x, y) = (x.from + 4.0, MARGIN[1] + LEGEND * i as f64);
            let _ = writeln!(
                svg,
                r#"<line x1="{x:.1}" y1="{0:.1}" x2="{1:.1}" y2="{0:.1}" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>"#,
                y - 4.0,
                x + 26.0
            );
            text(&mut svg, [x + 32.0, y], "start", &series.name);
        }
        svg + "</svg>\n"
    }
}

/// Draws bars on a logarithmic axis: a group of bars, one of each kind, per label.
pub fn bars(name: &str, title: &str, unit: &str, kinds: &[&str], groups: &[(String, Vec<f64>)]) {
    let [left, top, right, _] = MARGIN;
    let left = left + 80.0;
    let row = 14.0;
    let group_height = row * kinds.len() as f64 + 12.0;
    let height = top + 30.0 + group_height * groups.len() as f64 + 44.0;
    let values = || groups.iter().flat_map(|group| group.1.iter().copied());
    let mut x = Scale::new(values(), [left, WIDTH - right - 60.0], 0.0);
    x.low = x.low.floor();
    x.high += 0.02;
    let mut svg = header(title, height);
    let base = height - 44.0;
    for tick in x.ticks() {
        let at = x.at(tick);
        line(&mut svg, [at, top + 26.0, at, base], "#e3e3e3");
        text(&mut svg, [at, base + 18.0], "middle", &number(tick));
    }
    text(&mut svg, [0.5 * (x.from + x.to), height - 8.0], "middle", unit);
    for (i, kind) in kinds.iter().enumerate() {
        let at = left + 210.0 * i as f64;
        let _ = writeln!(
            svg,
            r#"<rect x="{at:.1}" y="{:.1}" width="12" height="10" fill="{}"/>"#,
            top - 1.0,
            COLORS[i]
        );
        text(&mut svg, [at + 18.0, top + 8.0], "start", kind);
    }
    for (i, (label, values)) in groups.iter().enumerate() {
        let first = top + 32.0 + group_height * i as f64;
        text(&mut svg, [left - 8.0, first + 0.5 * row * kinds.len() as f64 + 4.0], "end", label);
        for (k, value) in values.iter().enumerate() {
            let y = first + row * k as f64;
            if *value <= 0.0 {
                text(&mut svg, [left + 5.0, y + 10.0], "start", "none");
                continue;
            }
            let end = x.at(*value);
            let _ = writeln!(
                svg,
                r#"<rect x="{left:.1}" y="{y:.1}" width="{:.1}" height="11" fill="{}"/>"#,
                (end - left).max(1.0),
                COLORS[k]
            );
            text(&mut svg, [end.max(left) + 5.0, y + 10.0], "start", &crate::short(*value));
        }
    }
    line(&mut svg, [left, top + 26.0, left, base], "#444");
    save_plot(name, &(svg + "</svg>\n"));
}

fn header(title: &str, height: f64) -> String {
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:.0}" height="{height:.0}" viewBox="0 0 {WIDTH:.0} {height:.0}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="#222">
<rect width="{WIDTH:.0}" height="{height:.0}" fill="white"/>
"##
    );
    let _ = writeln!(
        svg,
        r#"<text x="{:.0}" y="24" text-anchor="middle" font-size="14" font-weight="bold">{}</text>"#,
        0.5 * WIDTH,
        escaped(title)
    );
    svg
}

fn line(svg: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str) {
    let _ = writeln!(
        svg,
        r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" stroke="{color}" stroke-width="1"/>"#
    );
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, text: &str) {
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#, escaped(text));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Formats a number of an axis: 0.01, 500, 20k, 1M.
fn number(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 0.999e6 => (v / 1e6, "M"),
        v if v >= 0.999e4 => (v / 1e3, "k"),
        v => (v, ""),
    };
    let digits = if value >= 0.999 { 0 } else { (-value.log10()).ceil() as usize };
    format!("{value:.digits$}{unit}")
}
