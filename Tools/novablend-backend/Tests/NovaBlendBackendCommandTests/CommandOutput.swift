import CommandLineKit
import Foundation
import SystemTestSupport

@testable import NovaBlendBackendCommand

/// What a command line of the program printed, and its exit code. It runs in this process.
struct CommandOutput {
    let output: String
    let errors: String
    let code: Int32

    init(_ arguments: [String], input: String = "") async throws {
        try await self.init(arguments, input: Array(input.utf8))
    }

    init(_ arguments: [String], input: [UInt8]) async throws {
        let directory = try TemporaryDirectory()
        let (outputFile, errorFile) = (directory.path + "/output", directory.path + "/errors")
        let inputFile = directory.path + "/input"
        try Data(input).write(to: URL(filePath: inputFile))
        let descriptors = [
            open(inputFile, O_RDONLY | O_CLOEXEC),
            open(outputFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
            open(errorFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600),
        ]
        defer { for descriptor in descriptors { close(descriptor) } }
        let terminal = Terminal(
            input: descriptors[0],
            output: descriptors[1],
            errors: descriptors[2]
        )
        code = await BackendProgram.program.run(arguments, on: terminal).rawValue
        output = try String(contentsOfFile: outputFile, encoding: .utf8)
        errors = try String(contentsOfFile: errorFile, encoding: .utf8)
    }

    /// Runs a command line on a terminal. What a person types is in it before it asks, and `errors`
    /// has what the terminal shows, including that.
    init(_ arguments: [String], typing text: String) async throws {
        let directory = try TemporaryDirectory()
        let screen = try Pseudoterminal(columns: 200)
        let outputFile = directory.path + "/output"
        let descriptor = open(outputFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        screen.type(text)
        let terminal = Terminal(
            input: screen.descriptor,
            output: descriptor,
            errors: screen.descriptor
        )
        code = await BackendProgram.program.run(arguments, on: terminal).rawValue
        screen.closeDescriptor()
        errors = screen.completeOutput()
        output = try String(contentsOfFile: outputFile, encoding: .utf8)
    }
}
