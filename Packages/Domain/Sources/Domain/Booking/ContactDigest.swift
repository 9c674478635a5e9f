/// What a journal keeps of a customer's contact data that it no longer needs: hashes that show whether
/// a request repeats an earlier one.
///
/// The hashes have a random key that is stored with them. So equal data of two requests does not have equal
/// hashes, but someone who has a hash and its key can try all phone numbers.
public struct ContactDigest: Sendable, Hashable {
    /// The random key, as two numbers.
    public var key: Key
    /// The hash of the phone number's digits; nil if the number itself is stored.
    public var phone: PhoneHash?
    /// The hash of the email address and the note.
    public var details: UInt64

    /// A key of the hash function.
    public struct Key: Sendable, Hashable {
        /// The first half.
        public var first: UInt64
        /// The second half.
        public var second: UInt64

        /// Creates a key.
        public init(first: UInt64, second: UInt64) { (self.first, self.second) = (first, second) }

        /// A new random key.
        static func random() -> Key {
            Key(first: .random(in: .min ... .max), second: .random(in: .min ... .max))
        }
    }

    /// The hash of the digits of a phone number, without leading zeros and without an extension.
    public struct PhoneHash: Sendable, Hashable {
        /// The hash.
        public var value: UInt64
        /// The number of digits.
        public var count: Int

        /// Creates a hash of `count` digits.
        public init(value: UInt64, count: Int) { (self.value, self.count) = (value, count) }
    }

    /// Creates a digest from its parts.
    ///
    /// - Parameters:
    ///   - key: The random key.
    ///   - phone: The hash of the phone number's digits; nil if the number itself is stored.
    ///   - details: The hash of the email address and the note.
    public init(key: Key, phone: PhoneHash? = nil, details: UInt64) {
        (self.key, self.phone, self.details) = (key, phone, details)
    }

    /// The digest of the email address and the note of a complete request.
    init(detailsOf request: BookingRequest, key: Key = .random()) {
        self.key = key
        details = Self.hash(email: request.email, note: request.note, key)
    }

    /// Adds the hash of a phone number.
    mutating func add(phone text: String) {
        let digits = Phone(text).digits
        phone = PhoneHash(value: Self.hash(digits, key), count: digits.utf8.count)
    }

    /// Whether a complete request has the same email address and the same note.
    func hasDetails(of request: BookingRequest) -> Bool {
        details == Self.hash(email: request.email, note: request.note, key)
    }

    /// Whether a phone number may be the one of the hash, by the rule of ``Phone/matches(_:)``; nil if
    /// that cannot be told, because it has fewer digits, or hides some, or there is no hash.
    func hasPhone(_ text: String) -> Bool? {
        let other = Phone(text)
        guard let phone, !other.isMasked, other.digits.utf8.count >= phone.count else { return nil }
        let end = String(other.digits.suffix(phone.count))
        if end.utf8.count < other.digits.utf8.count, phone.count < Phone.minimumDigits {
            return false
        }
        return Self.hash(end, key) == phone.value
    }

    private static func hash(_ text: String, _ key: Key) -> UInt64 {
        SipHash.hash(Array(text.utf8), key)
    }

    private static func hash(email: String?, note: String?, _ key: Key) -> UInt64 {
        var bytes: [UInt8] = []
        for text in [email, note] {
            // No text contains these bytes, so no two pairs have the same form.
            bytes.append(text == nil ? 0xFE : 0xFF)
            bytes += Array((text ?? "").utf8)
        }
        return SipHash.hash(bytes, key)
    }
}

extension BookingRequest {
    /// Whether the phone number may be `text`; nil if that cannot be told, because one of them hides digits, or
    /// because what a journal has kept of this one does not suffice.
    ///
    /// - Parameter text: A phone number in any form.
    public func hasPhone(_ text: String) -> Bool? {
        if phone.isEmpty { return digest?.hasPhone(text) }
        if phone == text { return true }
        let (own, other) = (Phone(phone), Phone(text))
        return own.isMasked || other.isMasked ? nil : own.matches(other)
    }

    /// This request without the contact data.
    ///
    /// - Parameter digest: What is kept of it.
    public func withoutContact(_ digest: ContactDigest?) -> BookingRequest {
        var request = self
        (request.phone, request.email, request.note) = ("", nil, nil)
        request.digest = digest
        return request
    }
}

// What a journal keeps, see ``BookingJournal``.
extension BookingIntent {
    /// This intent with only the contact data that is evidence: the phone number of a booking, by which a
    /// list shows it. A change is found by the id of its appointment. Only a caller who repeats the
    /// request lets it be sent again, and then states the email address and the note again.
    public var withoutDetails: BookingIntent {
        var intent = self
        switch action {
        case .book(var request):
            guard request.email != nil || request.note != nil else { return self }
            request.digest = request.digest ?? ContactDigest(detailsOf: request)
            (request.email, request.note) = (nil, nil)
            intent.action = .book(request)
        case .change(var change):
            change.before.booking = change.before.booking.withoutContact(nil)
            intent.action = .change(change)
        }
        return intent
    }

    /// This intent without contact data. A repeated booking is still recognized by hashes.
    public var withoutContact: BookingIntent {
        guard case .book(let request) = action, !request.phone.isEmpty else {
            return withoutDetails.withEmptyResult
        }
        var digest = request.digest ?? ContactDigest(detailsOf: request)
        digest.add(phone: request.phone)
        return replacing(request.withoutContact(digest))
    }

    /// This intent without contact data and without hashes of it. Its key can be used for no request
    /// any more.
    public var withoutCustomer: BookingIntent {
        guard case .book(let request) = action else { return withoutContact }
        return replacing(request.withoutContact(nil))
    }

    /// Whether what is stored of the contact data shows that it is that of the customer with this phone
    /// number.
    public func isOf(customer phone: String) -> Bool {
        switch action {
        case .book(let request): request.hasPhone(phone) == true
        case .change(let change): change.before.booking.hasPhone(phone) == true
        }
    }

    /// This intent, repeated by `request`, which has the contact data that a journal lacks.
    func repeated(by request: BookingRequest) -> BookingIntent {
        guard case .book(var own) = action else { return self }
        if own.phone.isEmpty { own.phone = request.phone }
        if own.digest != nil { (own.email, own.note) = (request.email, request.note) }
        own.digest = nil
        var intent = self
        intent.action = .book(own)
        return intent
    }

    private func replacing(_ request: BookingRequest) -> BookingIntent {
        var intent = self
        intent.action = .book(request)
        return intent.withEmptyResult
    }

    /// This intent with no contact data in its result but the digest of its request.
    private var withEmptyResult: BookingIntent {
        guard case .done(var appointment) = state else { return self }
        var digest: ContactDigest?
        if case .book(let request) = action { digest = request.digest }
        appointment.booking = appointment.booking.withoutContact(digest)
        var intent = self
        intent.state = .done(appointment)
        return intent
    }
}

/// The hash function SipHash-2-4 (Aumasson and Bernstein, 2012), which needs no library.
enum SipHash {
    /// The hash of `bytes` under `key`.
    static func hash(_ bytes: [UInt8], _ key: ContactDigest.Key) -> UInt64 {
        var state = State(key)
        let tail = bytes.count & 7
        for start in stride(from: 0, to: bytes.count - tail, by: 8) {
            state.add(word(bytes[start..<(start + 8)]))
        }
        let length = UInt64(truncatingIfNeeded: bytes.count & 0xFF) << 56
        state.add(word(bytes.suffix(tail)) | length)
        return state.finished
    }

    /// The little-endian number of at most eight bytes.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct State {
        private var (v0, v1, v2, v3): (UInt64, UInt64, UInt64, UInt64)

        init(_ key: ContactDigest.Key) {
            v0 = key.first ^ 0x736f_6d65_7073_6575
            v1 = key.second ^ 0x646f_7261_6e64_6f6d
            v2 = key.first ^ 0x6c79_6765_6e65_7261
            v3 = key.second ^ 0x7465_6462_7974_6573
        }

        mutating func add(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        var finished: UInt64 {
            var state = self
            state.v2 ^= 0xFF
            for _ in 0..<4 { state.round() }
            return state.v0 ^ state.v1 ^ state.v2 ^ state.v3
        }

        private mutating func round() {
            v0 &+= v1
            v1 = Self.rotate(v1, 13) ^ v0
            v0 = Self.rotate(v0, 32)
            v2 &+= v3
            v3 = Self.rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotate(v1, 17) ^ v2
            v2 = Self.rotate(v2, 32)
        }

        private static func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 {
            word << count | word >> (64 - count)
        }
    }
}
