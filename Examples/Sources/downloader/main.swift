// Downloads files at the same time, and continues downloads that were interrupted.
//
// usage: downloader get DIRECTORY URL...   downloads to files
//        downloader put FILE URL           uploads a file
//        downloader count URL              counts the lines of a body of any size
//        downloader send METHOD URL        sends a request, and prints the status
import Glibc
import Networking

var configuration = CurlHTTPClient.Configuration()
configuration.userAgent = "downloader/1.0"
let client = CurlHTTPClient(configuration: configuration)

let arguments = Array(CommandLine.arguments.dropFirst())
var isDone = true
do throws(HTTPClientError) {
    switch (arguments.first, arguments.count) {
    case ("get", 3...):
        isDone = await downloadAll(arguments[2...], to: arguments[1], with: client)
    case ("put", 3): try await upload(arguments[1], to: arguments[2], with: client)
    case ("count", 2): try await countLines(of: arguments[1], with: client)
    case ("send", 3): try await send(arguments[1], arguments[2], with: client)
    default:
        print("usage: downloader get DIRECTORY URL... | put FILE URL | count URL | send METHOD URL")
        exit(2)
    }
} catch {
    print(error)
    isDone = false
}
exit(isDone ? 0 : 1)
