import CommandLineKit

/// The range of slots that a command requests.
enum SlotRange {
    /// Sets `start` and `end`: the typed day or range, or the 24 hours after the typed start, the time
    /// to explain, or now. Without `--all`, requests only free slots.
    @Sendable static func prepare(
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) throws(CommandError) {
        if invocation[.all] == nil { params.set("onlyFree", true) }
        if let day = invocation[.day] {
            guard !params.has("start"), !params.has("end") else {
                throw .usage("--day cannot be combined with --start or --end", of: invocation)
            }
            guard let range = times.range(of: day) else {
                throw .usage("--day must be \(TypedTime.dayForms)", of: invocation)
            }
            params.set("start", range.start)
            return params.set("end", range.end)
        }
        if params.has("start"), params.has("end") { return }
        guard !params.has("end") else { throw .usage("--end requires --start", of: invocation) }
        var start: String?
        if let typed = invocation[.start] {
            start = try times.startTime(typed, for: "start")
        } else if let typed = invocation[.explain] {
            start = try times.time(typed, for: "explain")
        }
        let range = times.dayFrom(start ?? times.current) ?? (times.current, times.current)
        params.set("start", range.start)
        params.set("end", range.end)
    }
}
