// Downloads URLs at the same time, and prints the size of each.
//
// usage: downloader URL...
import Glibc
import Networking

var configuration = CurlHTTPClient.Configuration()
configuration.userAgent = "downloader/1.0"
let retrying = RetryingHTTPClient(CurlHTTPClient(configuration: configuration))
let client = CoalescingHTTPClient(CircuitBreakingHTTPClient(retrying))

/// Prints the size of the body at `url`, or the error. Returns whether the status is 200.
func download(_ url: String, with client: some HTTPClient) async -> Bool {
    var request = HTTPRequest(.get, url, headers: ["Accept": "*/*"])
    request.totalTimeout = .seconds(10)
    do throws(HTTPClientError) {
        let response = try await client.send(request)
        print("\(url): status \(response.status), \(response.body.count) bytes")
        return response.status == 200
    } catch {
        print("\(url): \(error)")
        return false
    }
}

let isEverythingDone = await withTaskGroup { group in
    for url in CommandLine.arguments.dropFirst() {
        group.addTask { await download(url, with: client) }
    }
    var isComplete = true
    for await isDone in group where !isDone { isComplete = false }
    return isComplete
}
exit(isEverythingDone ? 0 : 1)
