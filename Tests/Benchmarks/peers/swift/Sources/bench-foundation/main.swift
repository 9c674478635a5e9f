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
