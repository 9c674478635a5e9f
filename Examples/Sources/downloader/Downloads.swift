import Networking

/// Downloads URLs at the same time. Each file has the last part of its URL as its name. Returns whether
/// all downloads are complete.
func downloadAll(
    _ urls: ArraySlice<String>,
    to directory: String,
    with client: CurlHTTPClient
) async -> Bool {
    await withTaskGroup { group in
        for url in urls {
            group.addTask {
                let name = url.split(separator: "/").last.map(String.init) ?? "index"
                do throws(HTTPClientError) {
                    let file = try await download(url, to: "\(directory)/\(name)", with: client)
                    print("\(name): \(file.size) bytes, \(file.resumedBytes) from before")
                    return true
                } catch {
                    print("\(url): \(error)")
                    return false
                }
            }
        }
        return await group.reduce(true) { $0 && $1 }
    }
}

/// Downloads a file. If the connection is lost, continues where the download stopped, at most
/// twice.
func download(
    _ url: String,
    to path: String,
    with client: CurlHTTPClient
) async throws(HTTPClientError) -> HTTPDownload {
    var request = HTTPRequest(method: .get, url: url)
    request.totalTimeout = .seconds(3_600)
    request.maximumResponseBytes = 8 << 30
    let printer = ProgressPrinter(url)
    for _ in 0..<2 {
        do {
            return try await client.download(request, to: path) { printer.show($0) }
        } catch {
            guard error.reason == .connectionLost else { throw error }
            print("\(url): \(error)")
        }
    }
    return try await client.download(request, to: path) { printer.show($0) }
}
