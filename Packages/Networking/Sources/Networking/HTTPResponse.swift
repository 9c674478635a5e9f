public import WebPrimitives

/// An HTTP response.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code of the response.
    public var status: Int
    /// The header fields as received. `Content-Length` may be the length of the compressed body.
    public var headers: HTTPHeaders
    /// The decompressed body; empty if it is streamed.
    public var body: [UInt8]
    /// The URL of the response, after redirects.
    public var url: String
    /// When the server's certificate expires; nil if the request did not ask for it
    /// (``HTTPRequest/wantsCertificateExpiry``) or the server presented no certificate.
    public var certificateExpiry: HTTPDate?

    /// Creates a response, for example in a test.
    public init(
        status: Int,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [],
        url: String
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}

extension HTTPResponse {
    /// How many seconds ago the origin server generated or validated the response according to the
    /// `Age` header of shared caches, from 0 to 2,147,483,647.
    ///
    /// The age is nil if the header is absent or contains no number. A response has only one `Age`
    /// (RFC 9111, section 5.1). If there are several, the largest counts, because a response must not
    /// seem younger than it is.
    public var age: Int? {
        let numbers = headers.values(of: "Age").flatMap { field in
            // By bytes, because a combining character after a comma is part of the same character.
            field.utf8.split(separator: UInt8(ascii: ",")).compactMap {
                Int(deltaSeconds: Substring($0))
            }
        }
        return numbers.max().map { min($0, Self.largestAge) }
    }

    private static let largestAge = Int(Int32.max)

    /// The difference between the clocks of two machines, in seconds, that is not taken for an age.
    private static let clockTolerance = 60

    /// How many seconds the `Date` of the response is before `now`; nil if there is no valid `Date`.
    /// Negative if the server's clock is ahead.
    public func dateLag(now: HTTPDate) -> Int? {
        headers["Date"].flatMap { HTTPDate($0, now: now) }.map {
            now.secondsSince1970 - $0.secondsSince1970
        }
    }

    /// The age of the response in seconds when it arrived at `now`, from 0 to 2,147,483,647 (RFC
    /// 9111, section 4.2.3): the larger of the age according to `Date`, and of ``age`` and the time
    /// since the request.
    ///
    /// A cache without `Age` cannot be distinguished from a server whose clock is behind, so such a
    /// response may seem older than it is. A `Date` up to a minute ago does not count, because clocks
    /// differ.
    public func initialAge(now: HTTPDate, sinceRequest delay: Duration) -> Int {
        let lag = dateLag(now: now) ?? 0
        let apparent = lag > Self.clockTolerance ? lag : 0
        let corrected = (age ?? 0) + Int(clamping: max(delay.components.seconds, 0))
        return min(max(apparent, corrected), Self.largestAge)
    }
}

extension Int {
    /// Parses `delta-seconds`, digits with optional surrounding whitespace (RFC 9111, section
    /// 1.2.2). A number that is too large becomes `Int.max`.
    init?(deltaSeconds text: some StringProtocol) {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let front = Array(text.utf8.drop(while: isBlank))
        let digits = front.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard !digits.isEmpty, front[digits.endIndex...].allSatisfy(isBlank) else { return nil }
        self = Int(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}

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
