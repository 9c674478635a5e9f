import Domain
import Networking

/// Checks this machine's clock by itself, and against the server's.
struct ClockCheck {
    let probe: ServerProbe
    let now: Timestamp

    /// From 2026, when this was written, for 60 years.
    private static let sane: ClosedRange<Int64> = 1_767_225_600...3_660_681_600
    private static let mostSeconds: Int64 = 60

    var finding: Finding {
        guard Self.sane.contains(now.secondsSince1970) else {
            return Finding(
                "clock",
                .fail,
                "this machine's clock is years away from now",
                advice: "set it: what is kept expires by it"
            )
        }
        guard case .answered(let response, _, let moment) = probe,
            let server = serverTime(response, moment)
        else { return Finding("clock", .ok, "sane; there is no server's to compare it with") }
        // The server's date may be any number: the subtraction must not trap.
        let apart = max(moment.seconds(since: server), server.seconds(since: moment))
        if apart <= Self.mostSeconds {
            return Finding("clock", .ok, "\(apart) s from the server's")
        }
        let direction = moment > server ? "ahead of" : "behind"
        return Finding(
            "clock",
            .warn,
            "\(apart) s \(direction) the server's",
            advice: "set this machine's clock, or tell those who run the server"
        )
    }

    private func serverTime(_ response: HTTPResponse, _ moment: Timestamp) -> Timestamp? {
        let now = HTTPDate(secondsSince1970: Int(moment.secondsSince1970))
        return response.headers["Date"].flatMap { HTTPDate($0, now: now) }
            .map { Timestamp(secondsSince1970: Int64($0.secondsSince1970)) }
    }
}
