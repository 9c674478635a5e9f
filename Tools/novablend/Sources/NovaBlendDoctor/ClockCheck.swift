import Domain
import Networking
import WebPrimitives

/// Checks that this machine's clock is plausible and agrees with the server's.
struct ClockCheck {
    let probe: ServerProbe
    let now: Timestamp

    /// The years 2026 to 2085.
    private static let plausibleTimes: ClosedRange<Int64> = 1_767_225_600...3_660_681_600
    private static let maximumDifference: Int64 = 60

    var finding: Finding {
        guard Self.plausibleTimes.contains(now.secondsSince1970) else {
            return Finding(
                "clock",
                .fail,
                "this machine's clock is wrong by years",
                advice: "set it: it determines when cached data expires"
            )
        }
        guard case .responded(let response, _, let moment) = probe,
            let server = serverTime(response, moment)
        else { return Finding("clock", .ok, "plausible; not compared with a server's") }
        // Not `abs` of one difference, which would trap for the smallest number.
        let difference = max(moment.seconds(since: server), server.seconds(since: moment))
        if difference <= Self.maximumDifference {
            return Finding("clock", .ok, "\(difference) s from the server's")
        }
        let direction = moment > server ? "ahead of" : "behind"
        return Finding(
            "clock",
            .warn,
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
