import Foundation
import FoundationNetworking
import Measuring

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
case .get(let url, let atOnce, let count):
    guard let address = URL(string: url) else { throw Failure("no URL: \(url)") }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = atOnce
    let session = URLSession(configuration: configuration)
    try await measure(atOnce: atOnce, count: count) {
        let (_, response) = try await session.data(from: address)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Failure("no 200") }
    }
case .read(let file, let rounds):
    let payload = Data(try contents(of: file))
    let decoder = JSONDecoder()
    try measure(rounds: rounds) { try decoder.decode(SalonList.self, from: payload) }
case .replace: throw Failure("replace is not measured here")
}
