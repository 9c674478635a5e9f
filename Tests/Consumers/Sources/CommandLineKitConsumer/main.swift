import CommandLineKit

let loud = Option("loud", "in capital letters")
let hello = Command("hello", "say hello", options: [loud]) {
    invocation,
    terminal throws(CommandError) in
    precondition(invocation.has(loud))
    return .success
}
let program = Program(name: "greeter", version: "1", summary: "say hello", commands: [hello])
let code = await program.run(["hello", "--loud"])
precondition(code == .success)
