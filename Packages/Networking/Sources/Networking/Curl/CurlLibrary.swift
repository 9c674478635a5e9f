import NovaBlendCurl
import Synchronization

/// libcurl, loaded by name when a request first needs it: most of the time that a program takes to
/// start would go into the forty libraries that come with it, and who works offline needs none.
enum CurlLibrary {
    static let name = "libcurl.so.4"

    private static let isBound = Mutex(false)

    /// Loads it unless it is there; a failure is tried again by the next request. Only tests give
    /// another name.
    static func bind(_ name: String = Self.name) throws(HTTPClientError) {
        let failure = isBound.withLock { isBound -> HTTPClientError? in
            if isBound, name == Self.name { return nil }
            if let words = load(name) { return HTTPClientError(.libraryMissing, detail: words) }
            guard nb_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
                return HTTPClientError(.other, detail: "libcurl did not start")
            }
            isBound = true
            return nil
        }
        if let failure { throw failure }
    }

    /// The loader's words; nil when all is there.
    private static func load(_ name: String) -> String? {
        let size = nb_curl_message_size
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { message in
            guard let start = message.baseAddress else { return "" }
            return nb_curl_load(name, start) ? nil : String(cString: start)
        }
    }
}
