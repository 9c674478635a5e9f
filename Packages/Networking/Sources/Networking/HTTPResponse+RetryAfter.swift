extension HTTPResponse {
    private static let longestRetryAfter = 86_400

    /// The delay that `Retry-After` asks for, in whole seconds from 0 to one day; nil when it is
    /// absent or neither a number nor a date (RFC 9110, section 10.2.3).
    ///
    /// A date counts from the response's own `Date`, so that clocks that differ do no harm. Without
    /// one it counts from `now`.
    public func retryAfter(now: HTTPDate) -> Duration? {
        guard let text = headers["Retry-After"], !text.isEmpty else { return nil }
        if let seconds = Int(deltaSeconds: text) {
            return .seconds(min(seconds, Self.longestRetryAfter))
        }
        guard let date = HTTPDate(text, now: now) else { return nil }
        let start = headers["Date"].flatMap { HTTPDate($0, now: now) } ?? now
        let seconds = date.secondsSince1970 - start.secondsSince1970
        return .seconds(min(max(seconds, 0), Self.longestRetryAfter))
    }
}
