import NovaBlendCurl
import Synchronization

/// Loads libcurl by name when a request first needs it. Its forty dependencies would take most of a
/// program's startup time, and a program that works offline needs none of them.
enum CurlLibrary {
    static let name = "libcurl.so.4"

    private static let isLoaded = Mutex(false)

    /// Loads libcurl unless it is loaded already. After a failure, the next call tries again. Only
    /// tests pass a different name.
    static func loadIfNeeded(_ name: String = Self.name) throws(HTTPClientError) {
        let failure = isLoaded.withLock { isLoaded -> HTTPClientError? in
            if isLoaded, name == Self.name { return nil }
            if let message = load(name) { return HTTPClientError(.libraryMissing, detail: message) }
            guard nb_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
                return HTTPClientError(.other, detail: "libcurl could not be initialized")
            }
            isLoaded = true
            return nil
        }
        if let failure { throw failure }
    }

    /// Loads libcurl. Returns the loader's error message, or nil on success.
    private static func load(_ name: String) -> String? {
        let size = nb_curl_message_size
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { message in
            guard let start = message.baseAddress else { return "" }
            return nb_curl_load(name, start) ? nil : String(cString: start)
        }
    }
}
