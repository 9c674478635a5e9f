extension HTTPResponse {
    private static let longestRetryAfter = 86_400

    /// The seconds that `Retry-After` asks to wait, 0 to 86,400 (a day); nil when it is absent or
    /// neither a number nor a date (RFC 9110, section 10.2.3).
    ///
    /// A date counts from the response's own `Date`, so that clocks that differ do no harm, and
    /// from `now` without one.
    public func retryAfter(now: HTTPDate) -> Int? {
        guard let text = headers["Retry-After"], !text.isEmpty else { return nil }
        if let seconds = Int(deltaSeconds: text) { return min(seconds, Self.longestRetryAfter) }
        guard let date = HTTPDate(text, now: now) else { return nil }
        let start = headers["Date"].flatMap { HTTPDate($0, now: now) } ?? now
        let seconds = date.secondsSince1970 - start.secondsSince1970
        return min(max(seconds, 0), Self.longestRetryAfter)
    }
}
