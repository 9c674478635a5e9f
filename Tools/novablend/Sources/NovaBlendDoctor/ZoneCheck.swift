import Domain
import Glibc
import Zones

/// Checks that time zone data are installed.
struct ZoneCheck {
    /// The directory of the time zones; nil for the system's directory.
    let directory: String?

    private static let samples = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]

    var finding: Finding {
        let zones = ZoneDirectory(path: directory)
        let missing = Self.samples.filter { name in
            ZoneID(name).flatMap(zones.rules) == nil
        }
        guard missing.isEmpty else {
            return Finding(
                "zones",
                .fail,
                "\(missing.joined(separator: ", ")) not found in \(zones.path)",
                advice: "apt install tzdata, or set TZDIR to its directory"
            )
        }
        let version = version(in: zones.path).map { ", version \($0)" } ?? ""
        return Finding("zones", .ok, "\(zones.path)\(version)")
    }

    /// The version from the first line of `tzdata.zi`, such as `# version 2026b`. Not every system
    /// has this file.
    private func version(in path: String) -> String? {
        let descriptor = open(path + "/tzdata.zi", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let line = String(decoding: bytes.prefix(count), as: UTF8.self).prefix { !$0.isNewline }
        let words = line.split(separator: " ")
        return words.count == 3 && words[1] == "version" ? String(words[2]) : nil
    }
}
