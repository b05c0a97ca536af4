// Command smallest is the smallest bot: it plays the first legal action.
package main

import "kitumaija.example/bots/kitumaija"

func main() {
	kitumaija.Main(func() kitumaija.Bot {
		return kitumaija.Func(func(turn *kitumaija.Turn) kitumaija.Action {
			return turn.Legal[0]
		})
	})
}
