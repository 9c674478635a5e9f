import Domain
import Networking
import WebPrimitives
import Zones

/// Checks that this machine's clock is plausible and agrees with the server's.
struct ClockCheck: Check {
    let check = "clock"
    let probe: ServerProbe
    let now: Timestamp

    /// The plausible times, in seconds since 1970: the years 2026 to 2085.
    private static let plausibleTimes: ClosedRange<Int64> = 1_767_225_600...3_660_681_600
    private static let maximumDifference: Int64 = 60

    var finding: Finding {
        guard Self.plausibleTimes.contains(now.secondsSince1970) else {
            return fail(
                "this machine's clock is wrong by years",
                advice: "set the clock, which determines when cached data expires"
            )
        }
        guard case .responded(let response, _, let moment) = probe,
            let server = serverTime(response, moment)
        else { return ok("plausible; not compared with a server's") }
        // Do not use `abs` of one difference, which would trap for the smallest number.
        let difference = max(moment.seconds(since: server), server.seconds(since: moment))
        if difference <= Self.maximumDifference {
            return ok("\(difference) s from the server's")
        }
        let direction = moment > server ? "ahead of" : "behind"
        return warn(
            "\(difference) s \(direction) the server's",
            advice: "set this machine's clock, or inform the server's operator"
        )
    }

    private func serverTime(_ response: HTTPResponse, _ moment: Timestamp) -> Timestamp? {
        let now = HTTPDate(secondsSince1970: Int(moment.secondsSince1970))
        return response.headers["Date"].flatMap { HTTPDate($0, now: now) }
            .map { Timestamp(secondsSince1970: Int64($0.secondsSince1970)) }
    }
}

/// Checks that time zone data are installed.
struct ZoneCheck: Check {
    let check = "zones"
    /// The directory of the time zones; nil for the system's directory.
    let directory: String?

    private static let samples = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]

    var finding: Finding {
        let zones = ZoneDirectory(path: directory)
        let missing = Self.samples.filter { name in
            ZoneID(name).flatMap(zones.rules) == nil
        }
        guard missing.isEmpty else {
            return fail(
                "\(missing.joined(separator: ", ")) not found in \(zones.path)",
                advice: "apt install tzdata, or set TZDIR to its directory"
            )
        }
        let version = version(in: zones.path).map { ", version \($0)" } ?? ""
        return ok("\(zones.path)\(version)")
    }

    /// The version from the first line of `tzdata.zi`, such as `# version 2026b`. Not every system
    /// has this file.
    private func version(in path: String) -> String? {
        let words = firstLine(ofFile: path + "/tzdata.zi")?.split(separator: " ") ?? []
        return words.count == 3 && words[1] == "version" ? String(words[2]) : nil
    }
}
