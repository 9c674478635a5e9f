/// Writes metrics in the text format 0.0.4 of Prometheus.
///
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>
public struct MetricsText: Sendable {
    /// The value of `Content-Type`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The kinds of metrics.
    public enum Kind: String, Sendable { case counter, gauge, histogram }

    /// Names and values of labels. The names are letters and underscores.
    public typealias Labels = KeyValuePairs<String, String>

    /// The text.
    public private(set) var text = ""

    /// Creates an empty text.
    public init() {}

    /// Begins a metric. All its samples must be added before another metric begins.
    ///
    /// - Parameters:
    ///   - name: Letters and underscores. The name of a counter ends with `_total`.
    ///   - help: The meaning, in one sentence.
    public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Adds a sample.
    public mutating func sample(_ name: String, _ value: Int, _ labels: Labels = [:]) {
        line(name, labels.map { ($0.key, $0.value) }, "\(value)")
    }

    /// Adds a sample.
    public mutating func sample(_ name: String, _ value: Double, _ labels: Labels = [:]) {
        let text = value == .infinity ? "+Inf" : "\(value)"
        line(name, labels.map { ($0.key, $0.value) }, text)
    }

    /// Adds the samples of a histogram.
    public mutating func samples(_ name: String, _ histogram: Histogram, _ labels: Labels = [:]) {
        let labels = labels.map { ($0.key, $0.value) }
        var count = 0
        let bounds = histogram.bounds.map { Self.value($0, histogram.unit) } + ["+Inf"]
        for (bound, added) in zip(bounds, histogram.counts) {
            count += added
            line("\(name)_bucket", labels + [("le", bound)], "\(count)")
        }
        line("\(name)_sum", labels, Self.value(histogram.sum, histogram.unit))
        line("\(name)_count", labels, "\(count)")
    }

    /// Adds a metric with a single sample.
    public mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        begin(name, kind, help)
        sample(name, value)
    }

    /// Adds a metric with a single histogram.
    public mutating func metric(_ name: String, _ help: String, _ histogram: Histogram) {
        begin(name, .histogram, help)
        samples(name, histogram)
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            let members = labels.map { "\($0)=\"\(Self.escaped($1, quote: true))\"" }
            text += "{\(members.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    private static func value(_ number: Int, _ unit: Histogram.Unit) -> String {
        switch unit {
        case .count: "\(number)"
        case .nanoseconds: "\(Double(number) / 1e9)"
        }
    }

    private static func escaped(_ text: String, quote: Bool = false) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
