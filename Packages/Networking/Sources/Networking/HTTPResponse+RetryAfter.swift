public import WebPrimitives

extension HTTPResponse {
    private static let longestRetryAfter = 86_400

    /// The delay that `Retry-After` asks for, in whole seconds from 0 to one day; nil if it is
    /// absent or neither a number nor a date (RFC 9110, section 10.2.3).
    ///
    /// If it is a date, the delay starts at the response's `Date`, because the server's clock may
    /// differ from ours, or at `now` if there is no `Date`.
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
