import BenchmarkSupport
import Foundation
import FoundationNetworking

struct Salon: Decodable {
    let id: UUID
    let name: String
    let location: String
    let phone: String?
    let openTime: Double
    let closeTime: Double

    enum CodingKeys: String, CodingKey {
        case id, name, location, phone
        case openTime = "open_time"
        case closeTime = "close_time"
    }
}

struct SalonList: Decodable { let salons: [Salon] }

/// Counts the bytes of a body as they arrive. This is how URLSession on Linux streams.
final class ByteCounter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // `count` sets both before the task starts. After that, only the session's serial queue uses them.
    private var bytes = 0
    private var completion: CheckedContinuation<Int, any Error>?

    func count(_ url: URL) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            (bytes, completion) = (0, continuation)
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        bytes += data.count
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?)
    {
        if let error {
            completion?.resume(throwing: error)
        } else {
            completion?.resume(returning: bytes)
        }
    }
}

switch try Job() {
case .get(let url, let concurrency, let count):
    guard let address = URL(string: url) else { throw Failure("not a URL: \(url)") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = concurrency
    let session = URLSession(configuration: configuration)
    try await measure(concurrency: concurrency, count: count) {
        let (_, response) = try await session.data(from: address)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Failure("status \(status)") }
    }
case .download(let url, let count):
    guard let address = URL(string: url) else { throw Failure("not a URL: \(url)") }
    let counter = ByteCounter()
    var bytes = 0
    for _ in 0..<count { bytes += try await counter.count(address) }
    print(bytes)
case .upload(let file, let url, let count):
    guard let address = URL(string: url) else { throw Failure("not a URL: \(url)") }
    var request = URLRequest(url: address)
    request.httpMethod = "PUT"
    for _ in 0..<count {
        let body = URL(filePath: file)
        let (_, response) = try await URLSession.shared.upload(for: request, fromFile: body)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Failure("status \(status)") }
    }
case .decode(let file, let rounds):
    let payload = Data(try contents(of: file))
    let decoder = JSONDecoder()
    try measure(rounds: rounds) { try decoder.decode(SalonList.self, from: payload) }
case .replace(let directory, let bytes, let count):
    let file = URL(filePath: directory + "/value")
    let payload = Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0) })
    try measure(rounds: count) { try payload.write(to: file, options: .atomic) }
case .slots: throw Failure("bench-foundation does not support this")
}
