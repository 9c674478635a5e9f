import NovaBlendCurl
import Synchronization

/// Loads libcurl by name when a request first needs it. Its forty dependencies would take most of a
/// program's startup time, and a program that works offline needs none of them.
enum CurlLibrary {
    static let name = "libcurl.so.4"

    private static let isBound = Mutex(false)

    /// Loads libcurl unless it is loaded. After a failure the next request tries again. Only tests
    /// pass a different name.
    static func bind(_ name: String = Self.name) throws(HTTPClientError) {
        let failure = isBound.withLock { isBound -> HTTPClientError? in
            if isBound, name == Self.name { return nil }
            if let message = load(name) { return HTTPClientError(.libraryMissing, detail: message) }
            guard nb_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
                return HTTPClientError(.other, detail: "libcurl could not be initialized")
            }
            isBound = true
            return nil
        }
        if let failure { throw failure }
    }

    /// The loader's error message; nil if libcurl is loaded.
    private static func load(_ name: String) -> String? {
        let size = nb_curl_message_size
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { message in
            guard let start = message.baseAddress else { return "" }
            return nb_curl_load(name, start) ? nil : String(cString: start)
        }
    }
}
