package term

// See the package for why the terminal must not be asked at start.
import _ "early.hermes/background"
