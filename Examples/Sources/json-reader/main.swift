// Reads a list of salons from standard input, and writes JSON.
//
// usage: json-reader open|mean KEY|indent <salons.json
//
//   open      the salons that are open at noon
//   mean KEY  the mean of a number of all salons, such as open_time
//   indent    the same text on several lines
import Glibc
import JSON

struct Salon: Codable {
    let name: String
    let phone: String?
    let openTime: Double
    let closeTime: Double

    enum CodingKeys: String, CodingKey {
        case name, phone
        case openTime = "open_time"
        case closeTime = "close_time"
    }
}

struct SalonList: Codable {
    var salons: [Salon]
}

/// Decodes the list as models, and encodes some of them.
func openSalons(_ document: JSONDocument) throws -> JSONFragment {
    var list = try document.root.decode(SalonList.self)
    list.salons.removeAll { salon in salon.openTime > 12 || salon.closeTime <= 12 }
    return try JSONFragment(encoding: list)
}

/// Reads one member of each salon, without models. The key is known only at run time.
func mean(of key: String, in document: JSONDocument) throws(JSONError) -> JSONFragment {
    let salons = try document.root.object().required("salons").array()
    var sum = 0.0
    for salon in salons {
        sum += try salon.object().required(named: key).number()
    }
    return JSONFragment { writer in
        writer.object { writer in
            writer.member("salons", salons.count)
            writer.member(named: key, sum / Double(salons.count))
        }
    }
}

/// All bytes of standard input.
func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(STDIN_FILENO, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
    }
    return bytes
}

func fail(_ message: String) -> Never {
    let line = "json-reader: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

do {
    let text = readInput()
    let document = try JSONDocument(parsing: text)
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("open", 1): print(try openSalons(document))
    case ("mean", 2): print(try mean(of: words[1], in: document))
    case ("indent", 1): print(JSONFragment(trusted: text).indented())
    default: fail("usage: json-reader open|mean KEY|indent <salons.json")
    }
} catch {
    // The error contains the path of the value, such as salons[3].open_time.
    fail("\(error)")
}
