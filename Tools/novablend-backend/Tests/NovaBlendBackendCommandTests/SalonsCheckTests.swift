import Foundation
import SystemTestSupport
import Testing

@Suite("salons check")
struct SalonsCheckTests {
    private let header = "name,location,open_time,close_time,time_zone\n"

    @Test("shows every problem and their number, and exits with 65")
    func problems() async throws {
        let outcome = try await CommandOutput(
            ["salons", "check", "-"],
            input: header + "A,B,9:00,25:00,Europe/Nowhere\nA,,9:00,10:00,\n"
        )
        #expect(outcome.code == 65 && outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                error: salons[0].close_time must be a time from 00:00 to 23:59 \
                (line 2, column close_time)
                error: salons[0].time_zone must be a time zone that this machine knows \
                (line 2, column time_zone)
                error: salons[1].location must be present (line 3, column location)
                error: salons[1].name is also the name of salons[0]; give both an id \
                (line 3, column name)
                2 salons, 4 errors, 0 warnings

                """
        )
    }

    @Test("accepts a file with warnings, and shows unsafe text safely")
    func warnings() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/salons.json"
        let json =
            #"{"salons":[{"name":"A","location":"B","open_time":9,"close_time":10,"x\u001b[0m":1}]}"#
        try Data(json.utf8).write(to: URL(filePath: file))
        let outcome = try await CommandOutput(["salons", "check", file])
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                warning: salons[0].x\u{FFFD}[0m is not known and will be ignored
                1 salon, 0 errors, 1 warning

                """
        )
    }

    @Test("says why a file cannot be read")
    func unreadable() async throws {
        let directory = try TemporaryDirectory()
        for (path, reason) in [
            (directory.path + "/missing", "No such file or directory"),
            (directory.path, "Is a directory"),
        ] {
            let outcome = try await CommandOutput(["salons", "check", path])
            #expect(outcome.code == 66 && outcome.output.isEmpty)
            #expect(outcome.errors == "novablend-backend: cannot read \(path): \(reason)\n")
        }
        #expect(try await CommandOutput(["salons", "check"]).code == 64)
    }
}
