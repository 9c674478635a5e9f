// Reads a list of salons from standard input, and writes those that are open at noon.
//
// usage: json-reader <salons.json
import Glibc
import JSON

/// All bytes of standard input.
func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(STDIN_FILENO, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
    }
    return bytes
}

do throws(JSONError) {
    let document = try JSONDocument(received: readInput())
    var names: [String] = []
    for salon in try document.root.object().required("salons").array() {
        let members = try salon.object()
        let hours = try (
            members.required("open_time").number(), members.required("close_time").number()
        )
        if hours.0 <= 12, 12 < hours.1 { names.append(try members.required("name").string()) }
    }
    let reply = JSONFragment { writer in
        writer.object { $0.member("open", names) }
    }
    print(reply)
} catch {
    // The error contains the path of the value, such as salons[3].open_time.
    let line = "json-reader: \(error)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}
