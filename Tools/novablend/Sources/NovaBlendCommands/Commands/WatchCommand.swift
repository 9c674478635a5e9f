import CommandLineKit
import Contract
import Domain
import JSON
import NovaBlendAdapters
import NovaBlendEngine
import NovaBlendMethods

/// The command `watch`: prints the changes of a list as they come.
enum WatchCommand {
    private static let lists = [AppointmentListCodec.name, SalonListCodec.name]

    private static let list = Argument(
        "LIST",
        .choice(lists),
        isRequired: false,
        "appointments (default) or salons"
    )

    static let command = Command(
        "watch",
        "print changes of appointments or salons as they come",
        details: [
            "The command prints a line for each element that is new, changed, cancelled, or deleted, "
                + "until it is interrupted. If the server has a feed of changes, a change appears "
                + "within a second, otherwise within about 30 s. The command also reports when the "
                + "server cannot be reached, and when it answers again.",
            "With --json, each line is an object. For a change, it has the members resource, change, "
                + "id, and, unless the element was deleted, element. When the server cannot be "
                + "reached, it has offline (true), since, and reason; when the server answers again, "
                + "only offline (false).",
        ],
        arguments: [
            list
        ],
        optionGroups: [ServerOptions.outputGroup, ServerOptions.group],
        examples: [
            .init("novablend watch", "appointments as they are booked and cancelled"),
            .init("novablend watch salons --json", "for a script"),
        ],
        run: { invocation, terminal throws(CommandError) in
            let settings = try Settings.load(invocation)
            return try await TerminationSignals.cancelling { () async throws(CommandError) in
                var terminal = terminal
                terminal.reportsClosedPipe = true
                do throws(CommandError) {
                    try await watch(settings, invocation, terminal)
                } catch  where error.isClosedPipe {}
                return .success
            }
        }
    )

    private static func watch(
        _ settings: Settings,
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) {
        let sandbox = try Sandbox.requested(by: settings)
        defer { sandbox?.stop() }
        let composition = Composition(try settings.checkedConfiguration(sandbox: sandbox))
        composition.removeExpiredData()
        let progress = ProgressLine(terminal)
        defer { progress.end() }
        let list = WatchedList(
            name: invocation[list] ?? lists[0],
            invoker: MethodInvoker(composition: composition, progress: progress),
            isJSON: invocation.has(ServerOptions.json)
        )
        // Start before the list is loaded, so that no change is missed.
        let events = composition.makeChanges().events(of: [list.name])
        var (known, notes) = try await list.loadFirst()
        progress.end()
        for note in notes { terminal.printNote(note) }
        terminal.printNote("watching \(known.count.counting(list.element)); press Ctrl-C to stop")
        for await event in events {
            if list.isJSON, let line = list.connection(event) {
                try terminal.write(Array(line.utf8))
            } else if let note = event.note {
                terminal.printNote(note)
            }
            guard case .changed = event else { continue }
            let (current, _) = try await list.load("cacheOnly")
            progress.end()
            let lines = await list.lines(from: known, to: current)
            if !lines.isEmpty { try terminal.write(Array(lines.utf8)) }
            known = current
        }
    }
}
