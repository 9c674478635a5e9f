import Contract
import NovaBlendMetrics

/// Counts the responses to requests, by route and result.
final class RequestMetrics: Sendable {
    /// The requests for one route.
    final class Entry: Sendable {
        let name: String
        let method: String
        /// The responses with the statuses 2xx to 5xx.
        private let responses = (2...5).map { _ in Counter() }
        private let durations = Histogram.ofDurations()

        init(name: String, method: String) {
            (self.name, self.method) = (name, method)
        }

        func count(status: Int, nanoseconds: Int) {
            responses[min(max(status / 100, 2), 5) - 2].increment()
            durations.observe(nanoseconds)
        }

        fileprivate func writeResponses(_ metric: String, to text: inout MetricsText) {
            for (number, counter) in zip(2..., responses) {
                text.sample(
                    metric,
                    counter.value,
                    ["route": name, "method": method, "status": "\(number)xx"]
                )
            }
        }

        fileprivate func writeDurations(_ metric: String, to text: inout MetricsText) {
            text.samples(metric, durations, ["route": name, "method": method])
        }
    }

    /// The counts of each route, in the order of the routes' numbers, and after them the counts of
    /// requests that matched no route.
    private let entries: [Entry]
    private let bookings: [(result: String, counter: Counter)]
    private let bookingRoute: Int?

    init(_ routes: [Route]) {
        entries =
            routes.map { Entry(name: $0.name, method: $0.method) }
            + [Entry(name: "none", method: "other")]
        let booking = routes.first { $0.name == Routes.bookingName }
        bookingRoute = booking?.number
        let results = ["booked"] + (booking?.allProblems.map(\.rawValue) ?? [])
        bookings = results.map { ($0, Counter()) }
    }

    /// Counts a response. `route` is nil if no route matched.
    func count(_ route: Route?, status: Int, problem: ErrorKind?, nanoseconds: Int) {
        let entry = entries[route?.number ?? entries.count - 1]
        entry.count(status: status, nanoseconds: nanoseconds)
        guard let route, route.number == bookingRoute else { return }
        let result = problem?.rawValue ?? "booked"
        bookings.first { $0.result == result }?.counter.increment()
    }

    func write(to text: inout MetricsText) {
        var metric = "novablend_http_requests_total"
        text.begin(metric, .counter, "Requests that were answered, by route.")
        for entry in entries { entry.writeResponses(metric, to: &text) }
        metric = "novablend_http_request_duration_seconds"
        text.begin(
            metric,
            .histogram,
            "Time from the end of each request to the beginning of its response."
        )
        for entry in entries { entry.writeDurations(metric, to: &text) }
        metric = "novablend_bookings_total"
        text.begin(metric, .counter, "Requests to book an appointment, by result.")
        for (result, counter) in bookings { text.sample(metric, counter.value, ["result": result]) }
    }
}
