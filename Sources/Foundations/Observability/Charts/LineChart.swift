/// Lines over a common axis, drawn as SVG. Its colours are those of ``PageStyle``. It has no inline styles, so
/// that a strict Content-Security-Policy allows it.
package struct LineChart {
    package struct Line {
        package var name: String
        /// The number of one of the page's colours, 1 to 4.
        package var colour: Int
        /// The points, in ascending order of x. The line breaks at a point without a value.
        package var points: [(x: Double, y: Double?)]

        package init(name: String, colour: Int, points: [(x: Double, y: Double?)]) {
            self.name = name
            self.colour = colour
            self.points = points
        }
    }

    var title: String
    /// The description of the chart for screen readers, which follows the title (`aria-label`).
    var summary: String?
    /// Labels of the axes.
    var xLabel: String
    var yLabel: String
    var xScale: Axis.Scale = .linear
    var yScale: Axis.Scale = .linear
    var xRange: ClosedRange<Double>
    var lines: [Line]
    /// Return the text of a tick.
    var xText: (Double) -> String
    var yText: (Double) -> String

    private let size = (width: 720.0, height: 280.0)
    private let margin = (top: 14.0, right: 16.0, bottom: 40.0, left: 76.0)

    package init(
        title: String, summary: String? = nil, xLabel: String, yLabel: String, xScale: Axis.Scale = .linear,
        yScale: Axis.Scale = .linear,
        xRange: ClosedRange<Double>, lines: [Line], xText: @escaping (Double) -> String,
        yText: @escaping (Double) -> String
    ) {
        self.title = title
        self.summary = summary
        self.xLabel = xLabel
        self.yLabel = yLabel
        self.xScale = xScale
        self.yScale = yScale
        self.xRange = xRange
        self.lines = lines
        self.xText = xText
        self.yText = yText
    }

    package var html: String {
        let label = title + (summary.map { ": \($0)" } ?? "")
        let legend = lines.map { "<span class=\"key k\($0.colour)\">\($0.name.escapedForHTML)</span>" }
        return """
            <figure><figcaption>\(title.escapedForHTML)<span class="legend">\(legend.joined())</span></figcaption>
            <svg viewBox="0 0 \(number(size.width)) \(number(size.height))" role="img" aria-label="\(label.escapedForHTML)">
            \(grid)
            \(lines.map(path).joined(separator: "\n"))
            </svg></figure>
            """
    }

    private var xAxis: Axis {
        Axis(scale: xScale, range: xRange, from: margin.left, to: size.width - margin.right)
    }

    private var yAxis: Axis {
        let values = lines.flatMap { $0.points.compactMap(\.y) }
        let highest = Axis.roundedUp(values.max() ?? 1)
        let lowest = yScale == .logarithmic ? min(values.filter { $0 > 0 }.min() ?? 1, highest / 10) : 0
        return Axis(scale: yScale, range: lowest...highest, from: size.height - margin.bottom, to: margin.top)
    }

    private var grid: String {
        let (left, right, bottom) = (margin.left, size.width - margin.right, size.height - margin.bottom)
        let (xAxis, yAxis) = (xAxis, yAxis)
        let horizontal = yAxis.ticks.map { value in
            let y = yAxis.place(of: value)
            return
                "<line class=\"grid\" x1=\"\(number(left))\" x2=\"\(number(right))\" y1=\"\(number(y))\" y2=\"\(number(y))\"/>"
                + "<text class=\"tick end\" x=\"\(number(left - 8))\" y=\"\(number(y + 4))\">\(yText(value))</text>"
        }
        let vertical = xAxis.ticks.map { value in
            let x = xAxis.place(of: value)
            return
                "<line class=\"grid\" x1=\"\(number(x))\" x2=\"\(number(x))\" y1=\"\(number(margin.top))\" y2=\"\(number(bottom))\"/>"
                + "<text class=\"tick middle\" x=\"\(number(x))\" y=\"\(number(bottom + 16))\">\(xText(value))</text>"
        }
        let labels = """
            <text class="label middle" x="\(number((left + right) / 2))" y="\(number(size.height - 6))">\(xLabel)</text>
            <text class="label middle" transform="rotate(-90)" x="\(number(-(margin.top + bottom) / 2))" y="14">\(yLabel)</text>
            """
        return (horizontal + vertical + [labels]).joined(separator: "\n")
    }

    private func path(of line: Line) -> String {
        let (xAxis, yAxis) = (xAxis, yAxis)
        var commands = ""
        var isDown = false
        for point in line.points {
            guard let y = point.y else {
                isDown = false
                continue
            }
            let place = "\(number(xAxis.place(of: point.x))) \(number(yAxis.place(of: y)))"
            // A single point is drawn as a line to itself.
            commands += isDown ? "L\(place)" : "M\(place)L\(place)"
            isDown = true
        }
        return "<path class=\"line c\(line.colour)\" d=\"\(commands)\"/>"
    }

    private func number(_ value: Double) -> String { value.text(decimals: 1).filter { $0 != "," } }
}

extension String {
    /// The text, escaped for HTML text and for attributes in double quotes. A report shows texts that its target
    /// has sent.
    package var escapedForHTML: String {
        // Escaped by scalars, as a browser reads the text: a quotation mark ends an attribute even if it is
        // combined with an accent.
        unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
