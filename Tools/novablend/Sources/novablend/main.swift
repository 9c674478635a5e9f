import Glibc
import NovaBlendCommand

exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
