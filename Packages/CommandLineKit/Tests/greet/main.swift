import CommandLineKit
import Glibc

let greeting = Option("greeting", .text("TEXT"), "the greeting (default: Hello)")
let config = Option("config", .file, "a configuration file")
let times = Option("times", .integer(1...9), "how often (default: 1)")
let name = Argument("NAME", .text("NAME"), "whom to greet")

let hello = Command(
    "hello",
    "greet people",
    details: [
        "Set the greeting with an option, or with greeting = TEXT in the configuration file."
    ],
    arguments: [name],
    options: [times],
    optionGroups: [OptionGroup("Settings", [greeting, config])],
    examples: [Command.Example("greet hello World --times 2", "greet twice")],
    run: { invocation, terminal throws(CommandError) in
        let file = try ConfigurationFile.load(
            invocation[config],
            defaultPath: BaseDirectory.config.path(for: "greet").map { $0 + "/config" },
            schema: ConfigurationFile.Schema(options: [greeting], inherited: [greeting])
        )
        let values = try file.values(ofProfile: ConfigurationFile.defaultProfile)
        let text = invocation[greeting] ?? values[greeting] ?? "Hello"
        let line = "\(text), \(try invocation.required(name))!"
        let lines = Array(repeating: SafeText.line(line), count: invocation[times] ?? 1)
        try terminal.print(lines)
        return .success
    }
)

let program = Program(
    name: "greet",
    version: "1.0",
    summary: "greet people",
    commands: [hello, Program.completionsCommand(), Program.manualCommand()],
    exitCodes: [
        (.success, "success"), (.usage, "wrong usage"),
        (.inputOutput, "the output cannot be written"),
        (.configuration, "the configuration file is not valid"),
    ]
)

exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
