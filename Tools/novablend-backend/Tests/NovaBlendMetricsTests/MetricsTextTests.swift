import Foundation
import Testing

@testable import NovaBlendMetrics

@Suite("Metrics in the text format of Prometheus")
struct MetricsTextTests {
    @Test("a counter has its meaning, its type, and a line for each set of labels")
    func counter() {
        var text = MetricsText()
        text.begin("requests_total", .counter, "Requests.")
        text.sample("requests_total", 3, ["route": "getSalon", "method": "GET"])
        text.sample("requests_total", 0)
        #expect(
            text.text == """
                # HELP requests_total Requests.
                # TYPE requests_total counter
                requests_total{route="getSalon",method="GET"} 3
                requests_total 0

                """
        )
    }

    @Test("backslashes and line breaks are escaped, and quotes in labels")
    func escaping() {
        var text = MetricsText()
        text.begin("a", .gauge, "\"b\"\\\n")
        text.sample("a", 1, ["c": "\"d\"\\\n"])
        #expect(
            text.text == #"""
                # HELP a "b"\\\n
                # TYPE a gauge
                a{c="\"d\"\\\n"} 1

                """#
        )
    }

    @Test("the buckets of a histogram are cumulative and include their bounds")
    func histogram() {
        let histogram = Histogram(bounds: [1, 4], unit: .count)
        for value in [0, 1, 2, 4, 5] { histogram.observe(value) }
        var text = MetricsText()
        text.metric("size", "Sizes.", histogram)
        #expect(
            text.text == """
                # HELP size Sizes.
                # TYPE size histogram
                size_bucket{le="1"} 2
                size_bucket{le="4"} 4
                size_bucket{le="+Inf"} 5
                size_sum 12
                size_count 5

                """
        )
    }

    @Test("durations are in seconds, from 0.25 ms to 10 s")
    func durations() {
        let histogram = Histogram.ofDurations()
        for nanoseconds in [250_000, 250_001, 10_000_000_000, 10_000_000_001] {
            histogram.observe(nanoseconds)
        }
        var text = MetricsText()
        text.samples("d", histogram, ["route": "a"])
        let lines = text.text.split(separator: "\n")
        #expect(lines.first == #"d_bucket{route="a",le="0.00025"} 1"#)
        #expect(lines.dropFirst().first == #"d_bucket{route="a",le="0.0005"} 2"#)
        #expect(lines.contains(#"d_bucket{route="a",le="10.0"} 3"#))
        #expect(lines.contains(#"d_bucket{route="a",le="+Inf"} 4"#))
        #expect(lines.contains(#"d_sum{route="a"} 20.000500002"#))
    }

    @Test("nothing is lost when several threads count")
    func concurrent() {
        let histogram = Histogram(bounds: [1], unit: .count)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { histogram.observe(2) }
        }
        #expect(histogram.counts == [0, 80_000] && histogram.sum == 160_000)
    }

    @Test("the process reports its time, memory, and descriptors")
    func process() throws {
        func values() throws -> [String: Double] {
            var text = MetricsText()
            ProcessMetrics.write(to: &text)
            let lines = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let pairs = try lines.map { line in
                let words = line.split(separator: " ")
                return (String(words[0]), try #require(Double(words[1])))
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        let found = try values()
        let memory = try #require(found["process_resident_memory_bytes"])
        #expect(memory > 1e6 && memory <= found["process_virtual_memory_bytes"] ?? 0)
        #expect(found["process_cpu_seconds_total"] ?? -1 >= 0)
        #expect(found["process_max_fds"] ?? 0 >= found["process_open_fds"] ?? .infinity)
        let started = try #require(found["process_start_time_seconds"])
        #expect(started < Date.now.timeIntervalSince1970 + 2)
        #expect(started > Date.now.timeIntervalSince1970 - 86_400)
        let pipes = (0..<100).map { _ in Pipe() }
        let open = try #require(try values()["process_open_fds"])
        #expect(open >= 200 && pipes.count == 100)
    }
}
